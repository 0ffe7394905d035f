/**
 * Files that hold secrets, and files that decide what runs: one table for every tool.
 *
 * @module
 */

import { type AbsolutePath, foldName } from "./absolute_path.ts";
import { matchesName, matchesParts } from "./name_pattern.ts";

/** A kind of file that is guarded wherever a tool names it. */
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
      ".nuget/NuGet/NuGet.Config",
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
      "Library/Keychains",
      ".mozilla",
      ".config/google-chrome",
      ".config/chromium",
      ".config/BraveSoftware",
      "Library/Application Support/Google/Chrome",
      "Library/Application Support/Firefox",
      "Library/Cookies",
    ],
    absolute: ["/Library/Keychains", "/run/secrets", "/var/run/secrets"],
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
  const parts = path.parts.map(foldName);
  const name = parts.at(-1) ?? "";
  const below = belowHome(path.root, parts, home);
  for (const { file, names, except, absolute, anywhere, inHome } of KINDS) {
    if (file.guards === "write" && access === "read") continue;
    const isKind = names.some((pattern) => matchesName(pattern, name, false)) ||
      (path.root === "/" && absolute.some((pattern) => matchesParts(pattern, parts, false))) ||
      (below !== null && inHome.some((pattern) => beginsWith(below, pattern))) ||
      anywhere.some((pattern) => holds(parts, pattern));
    if (isKind && !except.some((pattern) => matchesName(pattern, name, false))) return file;
  }
  return null;
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

/** The table in the form it is asked in: folded, and split into parts. */
const KINDS = PROTECTED_FILES.map((file) => {
  const fold = (list: readonly string[] = []) => list.map(foldName);
  const split = (list: readonly string[] = []) =>
    fold(list).map((path) => path.split("/").filter((part) => part !== ""));
  return {
    file,
    names: fold(file.names),
    except: fold(file.except),
    absolute: split(file.absolute),
    anywhere: split(file.anywhere),
    inHome: split(file.home),
  };
});

/** Whether some parts in a row are these, wherever they begin. */
function holds(parts: readonly string[], wanted: readonly string[]): boolean {
  const [first] = wanted;
  for (let at = parts.indexOf(first!); at >= 0; at = parts.indexOf(first!, at + 1)) {
    if (wanted.every((part, index) => part === parts[at + index])) return true;
  }
  return false;
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
