// Writes docs/guards.md from the guards' tables: bun scripts/document_guards.ts

import { writeFile } from "node:fs/promises";
import { guardsDocument } from "./docs/guards_document.ts";

await writeFile(new URL("../docs/guards.md", import.meta.url), guardsDocument());
