#!/usr/bin/env bash
# Installs what the tests can use and do without: PostgreSQL, its pooler, Chromium, an SSH server, the shells.
set -u
export DEBIAN_FRONTEND=noninteractive
wanted=(postgresql pgbouncer chromium openssh-server openssh-client zsh fish)
missing=()
for package in "${wanted[@]}"; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
