/** snake_case columns → camelCase fields, without the empty ones. */
export function fieldsOf<T>(row: Readonly<Record<string, unknown>>): T {
  const fields = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [name.replace(/_([a-z])/g, (_m, c: string) => c.toUpperCase()), value]),
  ) as T;
}
