/** The version of gatehouse; a test holds it against deno.json. */
export const VERSION = "0.1.0";
