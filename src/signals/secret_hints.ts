/**
 * Texts of which every secret that we know contains one: what has none of them needs no closer look. Plain
 * searches, since compiling the real expressions costs a hook more than all the rest of its record. A test
 * holds them against the shapes in `secret_shapes.ts`.
 *
 * @module
 */

/** In any case of letters; looked for in text that is lower-case already. */
const HINTS: readonly string[] = [
  // names whose values are secret
  "passw",
  "passphrase",
  "pwd=",
  "pwd:",
  "pwd ",
  'pwd"',
  "pwd\\",
  "pwd'",
  "secret",
  "token",
  "api_key",
  "api-key",
  "apikey",
  "access_key",
  "access-key",
  "accesskey",
  "access.key",
  "private_key",
  "private-key",
  "privatekey",
  "private key",
  "signing",
  "encryption",
  "credential",
  "accountkey",
  "authorization",
  "bearer",
  "cookie",
  "x-auth",
  "-u",
  "://",
  // shapes of tokens
  "sk-",
  "k_live_",
  "k_test_",
  "whsec_",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "gldt-",
  "glrt-",
  "glptt-",
  "xox",
  "xapp-",
  "slack.com",
  "ya29.",
  "npm_",
  "pypi-",
  "hf_",
  "dop_v1_",
  "doo_v1_",
  "dor_v1_",
  "hvs.",
  "hvb.",
  "shpat_",
  "shpca_",
  "shppa_",
  "shpss_",
  "dckr_pat_",
  "dapi",
  "glsa_",
  "glc_",
  "gsk_",
  "xai-",
  "pplx-",
  "r8_",
  "lin_api_",
  "ntn_",
  "figd_",
  "pmak-",
  "sntrys_",
  "atatt3",
  "nrak-",
  "key-",
  // files whose contents are secret
  ".env",
  "netrc",
  "htpasswd",
  "pgpass",
  "npmrc",
  "pypirc",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  "id_dsa",
  ".pem",
  ".p12",
  ".pfx",
  ".keystore",
  ".jks",
  ".ssh",
  "config.json",
  ".kube",
];

/** In exactly these letters. */
const EXACT_HINTS: readonly string[] = ["SG.", "AKIA", "ASIA", "ABIA", "ACCA", "AIza", "eyJ"];

/** Whether a text may hold a secret. `false` is certain; `true` means that it must be looked at. */
export function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  for (const hint of HINTS) if (lower.includes(hint)) return true;
  for (const hint of EXACT_HINTS) if (text.includes(hint)) return true;
  return false;
}
