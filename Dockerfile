# The sandbox for Compose and CI: docs/testing-with-the-sandbox.md, "In containers".
# First: npm ci && npm run executable
FROM debian:12-slim
COPY dist-executable/pixctl dist-executable/THIRD-PARTY-NOTICES.txt LICENSE /opt/pixctl/
RUN ln -s /opt/pixctl/pixctl /usr/local/bin/pixctl && useradd --create-home pixctl
USER pixctl
EXPOSE 4010
# The program itself is the first process, and hears the signal that stops the container.
CMD ["pixctl", "sandbox", "start", "--port", "4010", "--host", "0.0.0.0"]
