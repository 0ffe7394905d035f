/**
 * Files that hold secrets, and files that decide what runs: one table for every tool.
 *
 * @module
 */

import { type AbsolutePath, foldName } from "./absolute_path.ts";
import { matchesName, matchesParts } from "./name_pattern.ts";

/** A kind of file that is guarded wherever a tool names it. All texts are in small letters: case does not count. */
export interface ProtectedFile {
  readonly name: string;
  /** What it holds, as the end of "it …". */
  readonly holds: string;
  /** `any`: neither read nor written. `write`: reading is fine. */
  readonly guards: "any" | "write";
  /** Names anywhere. */
  readonly names?: readonly string[];
  /** Names that would match and are harmless. */
  readonly except?: readonly string[];
  /** Paths below a home folder. */
  readonly home?: readonly string[];
  /** Paths from the top. */
  readonly absolute?: readonly string[];
  /** Paths below any folder. */
  readonly anywhere?: readonly string[];
}

/** The table. What guards the agent itself has a guard of its own, which nothing but a person's window opens (`self_places.ts`). */
export const PROTECTED_FILES: readonly ProtectedFile[] = [
  {
    name: "environment files",
    holds: "holds the secrets of a project",
    guards: "any",
    names: [".env", ".env.*", ".env-*", ".env_*", ".envrc", ".flaskenv"],
    except: [
      ".env.example",
      ".env.*.example",
      ".env.example.*",
      ".env.sample",
      ".env.template",
      ".env.dist",
      ".env.defaults",
      ".env.schema",
      ".env-example",
      ".env-sample",
      ".env_example",
    ],
  },
  {
    name: "private keys",
    holds: "may hold a private key",
    guards: "any",
    names: [
      "id_rsa",
      "id_dsa",
      "id_ecdsa",
      "id_ed25519",
      "id_ecdsa_sk",
      "id_ed25519_sk",
      "*.pem",
      "*.key",
      "*.p12",
      "*.pfx",
      "*.ppk",
      "*.jks",
      "*.keystore",
      "*.kdbx",
      "*.gpg-key",
      "*_rsa",
    ],
    except: ["*cert*.pem", "*ca*.pem", "*chain*.pem", "*pub*.pem", "*pub*.key", "*.pub"],
  },
  {
    name: "password files",
    holds: "holds passwords",
    guards: "any",
    names: [
      ".netrc",
      "_netrc",
      ".htpasswd",
      ".pgpass",
      ".my.cnf",
      ".git-credentials",
      ".vault-token",
    ],
    absolute: [
      "/etc/shadow*",
      "/etc/gshadow*",
      "/etc/security/opasswd",
      "/etc/krb5.keytab",
      "/etc/master.passwd",
    ],
  },
  {
    name: "SSH and GPG",
    holds: "holds keys, or says who may log in",
    guards: "any",
    home: [".ssh", ".gnupg"],
    except: ["*.pub", "known_hosts", "known_hosts.old"],
    absolute: ["/etc/ssh/ssh_host_*_key"],
  },
  {
    name: "cloud credentials",
    holds: "holds the keys of a cloud account",
    guards: "any",
    home: [
      ".aws",
      ".azure",
      ".config/gcloud",
      ".boto",
      ".s3cfg",
      ".kube",
      ".docker/config.json",
      ".config/doctl",
      ".config/hcloud",
      ".config/rclone",
      ".oci",
      ".terraform.d/credentials.tfrc.json",
      ".terraformrc",
      ".config/heroku",
      ".fly",
      ".config/op",
      ".config/netlify",
      ".vercel",
      ".wrangler",
      ".config/.wrangler",
    ],
  },
  {
    name: "package and hosting tokens",
    holds: "holds the tokens of a registry or a hosting site",
    guards: "any",
    home: [
      ".npmrc",
      ".yarnrc.yml",
      ".pypirc",
      ".cargo/credentials",
      ".cargo/credentials.toml",
      ".gem/credentials",
      ".m2/settings.xml",
      ".m2/settings-security.xml",
      ".gradle/gradle.properties",
      ".nuget/nuget/nuget.config",
      ".composer/auth.json",
      ".config/composer/auth.json",
      ".config/gh/hosts.yml",
      ".config/glab-cli/config.yml",
      ".config/git/credentials",
      ".config/hub",
      ".netrc",
    ],
  },
  {
    name: "keychains and browsers",
    holds: "holds saved passwords and sessions",
    guards: "any",
    home: [
      ".password-store",
      ".local/share/keyrings",
      "library/keychains",
      ".mozilla",
      ".config/google-chrome",
      ".config/chromium",
      ".config/bravesoftware",
      "library/application support/google/chrome",
      "library/application support/firefox",
      "library/cookies",
    ],
    absolute: ["/library/keychains", "/run/secrets", "/var/run/secrets"],
  },
  {
    name: "the memory of processes",
    holds: "shows the environment and the memory of a process, secrets included",
    guards: "any",
    absolute: [
      "/proc/*/environ",
      "/proc/*/mem",
      "/proc/*/root",
      "/proc/*/cwd",
      "/proc/*/fd",
      "/proc/*/task/*/environ",
      "/proc/kcore",
      "/dev/mem",
      "/dev/kmem",
    ],
  },
  {
    name: "what git runs",
    holds: "decides which programs git runs, or which repository it is",
    guards: "write",
    anywhere: [".git/hooks", ".git/config", ".git/config.worktree", ".git/info/attributes"],
    names: [".git"],
    home: [".gitconfig", ".config/git"],
  },
];

/** Where home folders are, besides the one that is known. */
const HOMES: readonly (readonly string[])[] = [
  ["home", "*"],
  ["users", "*"],
  ["root"],
  ["var", "root"],
];

/**
 * The kind of protected file a path is; `null` when it is none.
 *
 * Names count whatever their case: on many volumes `.ENV` is `.env`.
 *
 * @param home The parts of the home folder, when it is known.
 */
export function protectedFile(
  path: AbsolutePath,
  access: "read" | "write",
  home: readonly string[] | null,
): ProtectedFile | null {
  const parts: string[] = [];
  for (const part of path.parts) parts.push(foldName(part));
  const below = belowHome(path.root, parts, home);
  const place: FoldedPlace = {
    name: parts.at(-1) ?? "",
    parts: path.root === "/" ? parts : null,
    whole: `/${parts.join("/")}/`,
    belowHome: below === null ? null : `${below.join("/")}/`,
  };
  for (const file of PROTECTED_FILES) {
    if (file.guards === "write" && access === "read") continue;
    if (isKind(file, place) && !hasName(file.except, place.name)) return file;
  }
  return null;
}

/** A path in the form the table is asked in. */
interface FoldedPlace {
  /** The last part. */
  readonly name: string;
  /** The parts from the top; `null` when they begin elsewhere. */
  readonly parts: readonly string[] | null;
  /** The parts, each between two slashes. */
  readonly whole: string;
  /** The parts below a home folder, each with a slash behind it; `null` outside of all homes. */
  readonly belowHome: string | null;
}

/** The table is asked as it is written, all in small letters: nothing has to be made ready for the first question. */
function isKind({ names, absolute, anywhere, home }: ProtectedFile, place: FoldedPlace): boolean {
  if (hasName(names, place.name)) return true;
  if (place.parts !== null && absolute !== undefined) {
    for (const pattern of absolute) {
      if (isBelowTop(pattern, place.parts)) return true;
    }
  }
  if (place.belowHome !== null && home !== undefined) {
    for (const start of home) {
      if (place.belowHome.startsWith(start) && place.belowHome[start.length] === "/") return true;
    }
  }
  if (anywhere !== undefined) {
    for (const part of anywhere) if (place.whole.includes(`/${part}/`)) return true;
  }
  return false;
}

function hasName(patterns: readonly string[] | undefined, name: string): boolean {
  if (patterns === undefined) return false;
  for (const pattern of patterns) if (matchesName(pattern, name, false)) return true;
  return false;
}

/** Whether a path from the top is what a pattern names, or below it. */
function isBelowTop(pattern: string, parts: readonly string[]): boolean {
  // Most patterns begin in another folder, and need not be taken apart.
  const first = parts[0] ?? "";
  if (!pattern.startsWith(first, 1) || pattern[first.length + 1] !== "/") return false;
  return matchesParts(pattern.split("/").slice(1), parts, false);
}

/** Whether a shell pattern such as `.e*` or `*.env` could name a file of secrets. */
export function patternMayBeSecret(pattern: string): boolean {
  const samples = [
    ".env",
    ".env.local",
    ".netrc",
    "id_rsa",
    "id_ed25519",
    ".htpasswd",
    ".git-credentials",
  ];
  // A bare star is every visible file: that is "all of them", not a way to name a secret.
  return !/^\*+$/.test(pattern) && samples.some((sample) => matchesName(pattern, sample, true));
}

function beginsWith(parts: readonly string[], start: readonly string[]): boolean {
  return start.length <= parts.length && start.every((part, index) => part === parts[index]);
}

/** The parts of a path below the home folder it is in; `null` when it is in none. */
function belowHome(
  root: string,
  parts: readonly string[],
  home: readonly string[] | null,
): readonly string[] | null {
  if (root === "~") return parts;
  if (home !== null && home.length > 0 && beginsWith(parts, home.map(foldName))) {
    return parts.slice(home.length);
  }
  const found = HOMES.find((pattern) =>
    pattern.length <= parts.length &&
    pattern.every((part, index) => part === "*" || part === parts[index])
  );
  return found === undefined ? null : parts.slice(found.length);
}
