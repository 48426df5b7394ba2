/** The key of every program on PostgreSQL: its file would be in the folder of this clone. */
export const OF_ALL = Buffer.alloc(32, 7).toString("base64");

/** What a program is given, unless a test says otherwise. */
export function keyFor({ DATABASE_URL = "" }: Readonly<Record<string, string>>): Record<string, string> {
  return DATABASE_URL.startsWith("postgres") ? { INSTANCE_KEY: OF_ALL } : {};
}
