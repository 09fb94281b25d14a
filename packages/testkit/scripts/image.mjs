/**
 * The file system of the container image: Node with the libraries that it has loaded, the packages that production needs as
 * they are locked, and our compiled files. Nothing else: no shell, no package manager, no sources. PostgreSQL is elsewhere.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Failure, root, say } from "./host.mjs"
import { npm } from "./setUp.mjs"

/** The number that images use for an account without rights; hosts have none of this number. */
const USER = 65_532
const BYTES_MAX = 250 * 1024 * 1024

const IN_DEVELOPMENT = new Set(["testkit", "examples"])
/** What no running program reads. */
const UNREAD = /(\.map|\.[cm]?tsx?|\.tsbuildinfo)$/

const packages = () =>
  readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "package.json")))

const copyTo = (image, path, from = join(root, path)) => {
  mkdirSync(dirname(join(image, path)), { recursive: true })
  copyFileSync(from, join(image, path))
}

/** The packages that are locked, without what only development or the embedded database needs. */
const installLocked = async (app) => {
  for (const path of ["package.json", "package-lock.json", ".npmrc"])
    if (existsSync(join(root, path))) copyTo(app, path)
  for (const name of packages()) copyTo(app, `packages/${name}/package.json`)
  const { code, output } = await npm(
    ["ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"],
    { cwd: app }
  )
  if (code !== 0)
    throw new Failure(`npm ci ended with code ${code}:\n${output}`, "Check that the registry is reachable.")
  for (const name of IN_DEVELOPMENT) {
    rmSync(join(app, "packages", name), { recursive: true, force: true })
    rmSync(join(app, "node_modules/@outbound", name), { force: true })
  }
  rmSync(join(app, "node_modules/.bin"), { recursive: true, force: true })
  for (const path of ["package-lock.json", ".npmrc"]) rmSync(join(app, path), { force: true })
}

const removeUnread = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && UNREAD.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
  }
}

const copyCompiled = (app) => {
  for (const name of packages().filter((one) => !IN_DEVELOPMENT.has(one))) {
    for (const part of ["bin", "dist/src"]) {
      const from = join(root, "packages", name, part)
      if (!existsSync(from)) continue
      cpSync(from, join(app, "packages", name, part), { recursive: true, filter: (path) => !UNREAD.test(path) })
    }
  }
  copyTo(app, "LICENSE")
}

/** Node, and every library that it has loaded, at the same places as here. */
const copyNode = (image) => {
  copyTo(image, "usr/bin/node", realpathSync(process.execPath))
  chmodSync(join(image, "usr/bin/node"), 0o755)
  for (const library of process.report.getReport().sharedObjects.filter((path) => existsSync(path))) {
    copyTo(image, library.slice(1), realpathSync(library))
    chmodSync(join(image, library), 0o755)
  }
}

const writeSystem = (image) => {
  const write = (path, text) => {
    mkdirSync(dirname(join(image, path)), { recursive: true })
    writeFileSync(join(image, path), text)
  }
  write("etc/passwd", `root:x:0:0::/:/sbin/nologin\noutbound:x:${USER}:${USER}::/app:/sbin/nologin\n`)
  write("etc/group", `root:x:0:\noutbound:x:${USER}:\n`)
  write("etc/nsswitch.conf", "hosts: files dns\n")
  mkdirSync(join(image, "tmp"))
  chmodSync(join(image, "tmp"), 0o1777)
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)

/** `npm run image -- FOLDER`. */
export const image = async ([folder]) => {
  if (folder === undefined) throw new Failure("The folder is missing.", "Name it: npm run image -- FOLDER")
  const into = resolve(process.env.INIT_CWD ?? root, folder)
  if (existsSync(into) && readdirSync(into).length > 0)
    throw new Failure(`${into} is not empty.`, "Name an empty folder.")
  const app = join(into, "app")
  mkdirSync(app, { recursive: true })
  await installLocked(app)
  removeUnread(join(app, "node_modules"))
  copyCompiled(app)
  copyNode(into)
  writeSystem(into)
  const bytes = bytesIn(into)
  const megabytes = (size) => `${Math.ceil(size / 1024 / 1024)} MB`
  say(
    `${into} holds ${megabytes(bytes)}, of which Node takes ${megabytes(lstatSync(join(into, "usr/bin/node")).size)}.`
  )
  if (bytes > BYTES_MAX) throw new Failure(`That is more than ${megabytes(BYTES_MAX)}.`, "Leave out what nothing runs.")
}
