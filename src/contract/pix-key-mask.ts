/** A PIX key for screens and logs: enough to recognise it, not enough to use it. */
import type { PixKeyType } from './withdrawal.ts';

/** Masks a key in the service's spelling; a key that does not have the form of its type is masked completely. */
export function maskPixKey(key: string, type: PixKeyType): string {
  const hidden = '*'.repeat(Math.min(key.length, 12));
  const shown = masks[type](key);
  return shown === key ? hidden : shown;
}

const masks: Record<PixKeyType, (key: string) => string> = {
  CPF: (key) => key.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**'),
  CNPJ: (key) => key.replace(/^\d{2}(\d{3})(\d{3})\d{4}\d{2}$/, '**.$1.$2/****-**'),
  EMAIL: (key) => key.replace(/^([^@])[^@]*@([^@]+)$/, '$1***@$2'),
  TELEFONE: (key) =>
    key.replace(
      /^(\+\d{2})(\d+)(\d{4})$/,
      (_, country, rest, end) => country + '*'.repeat(rest.length) + end,
    ),
  CHAVE_ALEATORIA: (key) =>
    key.replace(
      /^([0-9a-f]{8})-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{8}([0-9a-f]{4})$/i,
      '$1-****-****-****-********$2',
    ),
};
