/**
 * The configurations that `gatehouse init` writes for a beginning.
 *
 * @module
 */

/** What a starter can be. `guards`: no rules yet, only the built-in guards. */
export type StarterName = "guards" | "safe" | "readonly" | "strict";

const HEAD = `# gatehouse: what a coding agent may do here.
# Check it with \`gatehouse policy lint\`, try it with \`gatehouse check bash 'git push'\`.
version: 1
`;

const RULES =
  `# Rules are patterns on the call's text: the command line for bash, the path for reader and
# editor, the pattern and the path for search. * stands for any text, ? for one character.
# Tools are bash, reader, editor, search, mcp__SERVER__TOOL, or * for every tool.
# deny is asked first, then allow, then escalate, which asks a person. What no rule names is denied.
# Where a client cannot ask (Codex, OpenCode, Gemini CLI without a screen), escalate denies.
# shell: parse asks the rules of every command that a line would run, also behind ; && | and inside $( ),
# sudo or bash -c: one that is denied denies the line, and a line is allowed only when all of it is.
# A rule can say more than a pattern: { command: [git, push], without: [--force], reason: "…" }.
`;

const GUARDS = `
# The built-in guards are on unless this says otherwise.
guards:
  # Refuses commands that destroy: rm -rf /, git push --force, and their like, however they are written.
  destructive: true
  # Keeps file tools and commands from writing outside the project, and away from .env, keys and their like.
  paths:
    # denied: ["secrets"]
    symlinks: follow
`;

const END = `
# Programs that see each call and may refuse it, or answer other arguments (which are judged again):
# hooks:
#   - name: no-friday-deploys
#     tools: [bash]
#     command: ["./scripts/check-call"]

# Whether a call that the policy allows skips the client's own question: defer (no) or approve (yes).
onAllow: defer
`;

const STARTERS: Readonly<Record<StarterName, string>> = {
  guards: `${HEAD}
# No rules yet: what the guards let pass goes on by the client's own rules. To begin with some:
#
# policy:
#   mode: rules
#   shell: parse
#   deny:
#     bash: ["git push *"]
#   allow:
#     "*": ["*"]
#
${RULES}${GUARDS}${END}`,
  safe: `${HEAD}
${RULES}policy:
  mode: rules
  shell: parse
  deny:
    bash: ["rm *", "sudo *", "chmod *", "kill *", "mkfs *"]
  allow:
    reader: ["*"]
    editor: ["*"]
    search: ["*"]
    # Commands that only look. Add those that your project needs: "npm test", "cargo build", …
    bash: ["ls", "ls *", "cd *", "pwd", "git status", "git status *", "git diff", "git diff *", "git log", "git log *"]
  escalate:
    # Every other command needs a person's yes.
    bash: ["*"]
    "*": ["*"]
${GUARDS}${END}`,
  readonly: `${HEAD}
${RULES}policy:
  mode: rules
  shell: parse
  deny:
    editor: ["*"]
    bash: ["*"]
  allow:
    reader: ["*"]
    search: ["*"]
${GUARDS}${END}`,
  strict: `${HEAD}
${RULES}policy:
  mode: rules
  shell: parse
  deny:
    bash: ["rm *", "sudo *", "chmod *", "kill *", "mkfs *", "git push *", "curl *", "wget *"]
  allow:
    reader: ["*"]
    search: ["*"]
    bash: ["ls", "ls *", "cd *", "pwd", "git status", "git diff", "git log"]
  escalate:
    # Writing, and every other command, needs a person's yes. Tools that are not named here are denied.
    editor: ["*"]
    bash: ["*"]
${GUARDS.replace("symlinks: follow", "symlinks: refuse")}${END}`,
};

/** The names of all starters. */
export const STARTER_NAMES: readonly StarterName[] = Object.keys(STARTERS) as StarterName[];

/** The text of a starter. */
export function starterConfiguration(name: StarterName): string {
  return STARTERS[name];
}
