declare module 'postject' {
  export function inject(
    path: string,
    resource: string,
    data: Buffer,
    options: { sentinelFuse: string },
  ): Promise<void>;
}
