/** The parameters of a statement for `count` values, `$first` being the first of them: `$1, $2, $3`. */
export const placeholders = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, at) => `$${first + at}`).join(', ');
