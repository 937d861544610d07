/** Whether a receiver may answer so because the signature does not match its secret. */
export const mayRefuseSignature = (status: number): boolean => [400, 401, 403].includes(status);
