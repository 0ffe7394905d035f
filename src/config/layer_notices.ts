/**
 * What every output says of a configuration's files, besides the verdict.
 *
 * @module
 */

import type { CompiledFile } from "./compiled_file.ts";

/** A file that counts, as far as it matters here. */
interface NoticedLayer {
  readonly file: CompiledFile;
  /** Whether all of it counts. */
  readonly trusted: boolean;
}

/** What must be said of the files: that one is empty, or what of one that nobody trusted does not count. */
export function layerNotices(layers: readonly NoticedLayer[]): string[] {
  const notices: string[] = [];
  for (const { file, trusted } of layers) {
    if (file.empty) {
      notices.push(`${file.path} is empty: the built-in guards are on, and nothing else.`);
    }
    if (trusted) continue;
    const ignored = ignoredParts(file);
    if (ignored.length > 0) {
      notices.push(
        `${file.path} is not trusted, so its ${ignored.join(", ")} do not count. ` +
          `Read it, then run \`gatehouse trust\` there.`,
      );
    }
  }
  return notices;
}

/** What of a file does not count while nobody has trusted it. */
function ignoredParts(file: CompiledFile): string[] {
  const ignored: string[] = [];
  if (file.policy?.policy.mode === "allow_all") ignored.push("allow_all mode");
  if (Object.keys(file.policy?.policy.tiers.allow ?? {}).length > 0) ignored.push("allow rules");
  if (file.hooks.length > 0) ignored.push("hooks");
  const { destructive, paths } = file.guards;
  if (destructive !== null || paths?.enabled === false || paths?.allowed || paths?.symlinks) {
    ignored.push("guard settings");
  }
  if (file.onAllow !== null) ignored.push("onAllow");
  if (file.deadline !== null) ignored.push("deadline");
  return ignored;
}
