import { launcher, type LauncherGrammar } from "./launcher_grammar.ts";
import { NPX, RUN_TOOL } from "./package_options.ts";

/** Programs of which one subcommand launches: the options before it, and the subcommands. */
export interface SubcommandLaunchers {
  readonly options: string;
  readonly subcommands: Readonly<Record<string, LauncherGrammar>>;
}

const DOCKER_RUN =
  "-d -i -t -P --detach --interactive --tty --rm --init --privileged --publish-all --read-only " +
  "--no-healthcheck --oom-kill-disable --quiet -q --help! -a= -c= -e= -h= -l= -m= -p= -u= -v= -w=directory " +
  "--add-host= --annotation= --attach= --blkio-weight= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= " +
  "--cpu-period= --cpu-quota= --cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --dns= --dns-search= " +
  "--domainname= --entrypoint= --env= --env-file= --expose= --gpus= --group-add= --health-cmd= --hostname= --ip= --ipc= " +
  "--isolation= --label= --label-file= --link= --log-driver= --log-opt= --mac-address= --memory= --memory-swap= --mount= " +
  "--name= --network= --net= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= --publish= --pull= " +
  "--restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= " +
  "--ulimit= --user= --userns= --uts= --volume= --volume-driver= --volumes-from= --workdir=directory";

const DOCKER_EXEC =
  "-d -i -t --detach --interactive --tty --privileged --help! -e= -u= -w=directory --env= " +
  "--env-file= --user= --workdir=directory --detach-keys=";

const COMPOSE_EXEC =
  "-d -T -t --detach --no-TTY --privileged --rm --no-deps --service-ports --build --quiet-pull -i " +
  "--interactive --help! -e= -u= -w=directory --env= --user= --workdir=directory --index= --entrypoint= --name= -v= " +
  "--volume= -p= --publish= -l= --label=";

const container = (options: string, operands = 1): LauncherGrammar =>
  launcher(options, { effects: ["container"], operands });
const dlx = launcher(NPX, { effects: ["fetches"], rest: "package" });
const DOCKER_GLOBAL =
  "-D --debug --tls --tlsverify -c= --context= -H= --host= -l= --log-level= --config= --tlscacert= --tlscert= --tlskey= --connection= --url= --identity=";
const COMPOSE_GLOBAL =
  "-f= --file= -p= --project-name= --profile= --env-file= --project-directory= --ansi= --progress= --compatibility --dry-run --parallel=";

/** Launching subcommands, by the program's name. */
export const SUBCOMMAND_LAUNCHERS: ReadonlyMap<string, SubcommandLaunchers> = new Map(
  Object.entries<SubcommandLaunchers>({
    "docker": {
      options: DOCKER_GLOBAL,
      subcommands: {
        "exec": container(DOCKER_EXEC),
        "run": container(DOCKER_RUN),
        "container exec": container(DOCKER_EXEC),
        "container run": container(DOCKER_RUN),
        "compose exec": container(COMPOSE_EXEC),
        "compose run": container(COMPOSE_EXEC),
      },
    },
    "podman": {
      options: DOCKER_GLOBAL,
      subcommands: {
        "exec": container(DOCKER_EXEC),
        "run": container(DOCKER_RUN),
        "unshare": container("", 0),
      },
    },
    "nerdctl": {
      options: DOCKER_GLOBAL,
      subcommands: { "exec": container(DOCKER_EXEC), "run": container(DOCKER_RUN) },
    },
    "docker-compose": {
      options: COMPOSE_GLOBAL,
      subcommands: { "exec": container(COMPOSE_EXEC), "run": container(COMPOSE_EXEC) },
    },
    "lxc": {
      options: "",
      subcommands: { "exec": container("--cwd=directory --env= --user= -t -T -n --mode=") },
    },
    "kubectl": {
      options:
        "-n= --namespace= --context= --kubeconfig= --cluster= --user= --as= -s= --server= --token= -v= --request-timeout=",
      subcommands: {
        "exec": launcher(
          "-i -t -q --stdin --tty --quiet -c= --container= -n= --namespace= -f= --filename= --pod-running-timeout= --context= --kubeconfig=",
          {
            effects: ["container", "remote"],
            operands: 1,
            permutes: true,
          },
        ),
      },
    },
    "oc": {
      options: "-n= --namespace= --context= --kubeconfig=",
      subcommands: {
        "exec": launcher("-i -t -c= -n= --stdin --tty --container= --namespace=", {
          effects: ["container", "remote"],
          operands: 1,
          permutes: true,
        }),
        "rsh": launcher("-c= -n= --shell= --container= --namespace=", {
          effects: ["container", "remote"],
          operands: 1,
        }),
      },
    },
    "vagrant": {
      options: "",
      subcommands: {
        "ssh": launcher("-c=script --command=script -p --plain", {
          effects: ["remote", "shell"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "fly": {
      options: "",
      subcommands: {
        "ssh console": launcher("-C=script --command=script -a= --app= -r= -s -u=", {
          effects: ["remote", "shell"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "heroku": {
      options: "",
      subcommands: {
        "run": launcher("-a= --app= -r= --remote= -x --exit-code -s= --size= --no-tty --", {
          effects: ["remote"],
        }),
      },
    },
    "npm": {
      options: "--prefix= -w= --workspace= --silent -s --loglevel= -C=",
      subcommands: { "exec": dlx, "x": dlx },
    },
    "pnpm": {
      options: "-r --recursive -w --workspace-root -s --silent -C= --dir= --filter= -F=",
      subcommands: {
        "dlx": dlx,
        "exec": launcher(
          "-r -c:shell --recursive --shell-mode:shell --parallel --resume-from= --no-reporter-hide-prefix",
        ),
      },
    },
    "yarn": { options: "--cwd= -s --silent", subcommands: { "dlx": dlx, "exec": launcher("") } },
    "bun": { options: "--bun -b --silent --cwd=", subcommands: { "x": dlx } },
    "uv": {
      options:
        "-q --quiet -v --verbose --offline --no-cache --directory= --project= --color= --native-tls",
      subcommands: {
        "run": launcher(RUN_TOOL, { effects: ["fetches"] }),
        "tool run": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }),
      },
    },
    "pipx": {
      options: "",
      subcommands: { "run": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }) },
    },
    "poetry": {
      options: "-q -v -n -C= --directory= --project= -P= --no-ansi",
      subcommands: { "run": launcher("") },
    },
    "pipenv": { options: "-q -v", subcommands: { "run": launcher("") } },
    "pdm": {
      options: "-q -v -p= --project=",
      subcommands: { "run": launcher("-s -v -p= --site-packages") },
    },
    "hatch": { options: "-e= --env= -q -v", subcommands: { "run": launcher("-e= --env=") } },
    "rye": { options: "", subcommands: { "run": launcher("") } },
    "conda": {
      options: "",
      subcommands: {
        "run": launcher(
          "-n= --name= -p= --prefix= --cwd=directory --no-capture-output --live-stream -v -s -e= ",
        ),
      },
    },
    "mamba": {
      options: "",
      subcommands: { "run": launcher("-n= --name= -p= --prefix= --cwd=directory") },
    },
    "bundle": {
      options: "",
      subcommands: { "exec": launcher("--keep-file-descriptors --gemfile=") },
    },
    "rbenv": { options: "", subcommands: { "exec": launcher("") } },
    "pyenv": { options: "", subcommands: { "exec": launcher("") } },
    "nodenv": { options: "", subcommands: { "exec": launcher("") } },
    "asdf": { options: "", subcommands: { "exec": launcher("") } },
    "mise": {
      options: "-C= -q -v -y --cd=",
      subcommands: {
        "exec": launcher("-c=script --command=script -j= --jobs= --raw --", { permutes: true }),
        "x": launcher("-c=script --command=script -j= --raw --", { permutes: true }),
      },
    },
    "rtx": {
      options: "",
      subcommands: { "exec": launcher("-c=script --command=script --", { permutes: true }) },
    },
    "volta": {
      options: "",
      subcommands: {
        "run": launcher("--node= --npm= --pnpm= --yarn= --bundled-npm --no-yarn --env="),
      },
    },
    "fnm": { options: "", subcommands: { "exec": launcher("--using=") } },
    "nvm": { options: "", subcommands: { "exec": launcher("--silent", { operands: 1 }) } },
    "rustup": { options: "-q -v", subcommands: { "run": launcher("--install", { operands: 1 }) } },
    "direnv": {
      options: "",
      subcommands: { "exec": launcher("", { effects: ["environment"], operands: 1 }) },
    },
    "nix": {
      options: "--extra-experimental-features=",
      subcommands: {
        "develop": launcher(
          "--impure -i -k= --ignore-environment --keep= --phase= -c:words --command:words",
          { effects: ["fetches"], rest: "nothing", permutes: true },
        ),
        "shell": launcher("--impure -c:words --command:words", {
          effects: ["fetches"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "devbox": {
      options: "",
      subcommands: {
        "run": launcher("-c= -e= --config= --env= --pure -q", {
          effects: ["shell"],
          rest: "script",
        }),
      },
    },
    "doppler": {
      options: "-p= -c= --project= --config= -t= --token=",
      subcommands: {
        "run": launcher("-p= -c= --project= --config= --command=script --mount= --preserve-env?", {
          effects: ["environment"],
        }),
      },
    },
    "op": {
      options: "--account=",
      subcommands: {
        "run": launcher("--env-file= --no-masking --account=", { effects: ["environment"] }),
      },
    },
    "infisical": {
      options: "",
      subcommands: {
        "run": launcher("--env= --path= --projectId= --token= --command=script --watch", {
          effects: ["environment"],
        }),
      },
    },
    "aws-vault": {
      options: "",
      subcommands: {
        "exec": launcher(
          "-d= --duration= -r= --region= -n --no-session -s --server --json -j --prompt= --stdout",
          { effects: ["environment"], operands: 1 },
        ),
      },
    },
    "tmux": {
      options: "-2 -C -D -l -N -u -v -c= -f= -L= -S= -T=",
      subcommands: Object.fromEntries(
        [
          "new-session",
          "new",
          "new-window",
          "neww",
          "split-window",
          "splitw",
          "respawn-pane",
          "respawnp",
          "respawn-window",
          "respawnw",
          "display-popup",
          "popup",
          "run-shell",
          "run",
          "if-shell",
          "if",
        ]
          .map((
            name,
          ) => [
            name,
            launcher(
              "-A -a -b -C -d -D -E -h -I -k -P -v -X -Z -B -S -c= -e= -F= -f= -n= -s= -t= -x= -y= -l= -w= -T= -p=",
              { effects: ["detached", "shell"], rest: "script" },
            ),
          ]),
      ),
    },
    "perf": {
      options: "",
      subcommands: {
        "stat": launcher("-a -d -v -e= -r= -o= -p= -C= -x= --"),
        "record": launcher("-a -g -v -e= -F= -o= -p= -c= -C= --call-graph= --"),
      },
    },
  }),
);
