/**
 * The file system of the container image: Node with the libraries that it has loaded, the program, and the packages that it
 * needs as they are locked. Nothing else: no shell, no package manager, no sources. PostgreSQL is elsewhere.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Failure, root, say } from "./host.mjs"

/** The number that images use for an account without rights; hosts have none of this number. */
const USER = 65_532
const BYTES_MAX = 180 * 1024 * 1024

const PROGRAM = "packages/outbound"
/** What no running program reads. */
const UNREAD = /(\.map|\.[cm]?tsx?|\.tsbuildinfo)$/

const copyTo = (image, path, from = join(root, path)) => {
  mkdirSync(dirname(join(image, path)), { recursive: true })
  copyFileSync(from, join(image, path))
}

const nodeModulesOf = (path) => (path === "" ? "node_modules" : `${path}/node_modules`)

/** Where `name` is found from the folder `from`: in its own `node_modules`, or in those of the folders above. */
const installedAt = (name, from) => {
  const path = `${nodeModulesOf(from)}/${name}`
  if (existsSync(join(root, path)) || from === "") return path
  return installedAt(name, from.slice(0, Math.max(0, from.lastIndexOf("/"))))
}

/** The program, and what it needs, each after what brings it. Left out: what is optional, as the embedded database is. */
const needed = () => {
  const folders = new Set([PROGRAM])
  for (const folder of folders) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    for (const name of Object.keys(dependencies)) folders.add(installedAt(name, folder))
  }
  folders.delete(PROGRAM)
  return [...folders]
}

const copyRead = (app, path) =>
  cpSync(join(root, path), join(app, path), { recursive: true, filter: (file) => !UNREAD.test(file) })

/** A package within another one goes along with it. */
const copyProgram = (app) => {
  for (const path of ["package.json", "bin", "dist/program"]) copyRead(app, `${PROGRAM}/${path}`)
  for (const path of needed()) copyRead(app, path)
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
export const image = ([folder]) => {
  if (folder === undefined) throw new Failure("The folder is missing.", "Name it: npm run image -- FOLDER")
  const into = resolve(process.env.INIT_CWD ?? root, folder)
  if (existsSync(into) && readdirSync(into).length > 0)
    throw new Failure(`${into} is not empty.`, "Name an empty folder.")
  const app = join(into, "app")
  mkdirSync(app, { recursive: true })
  copyProgram(app)
  copyNode(into)
  writeSystem(into)
  const bytes = bytesIn(into)
  const megabytes = (size) => `${Math.ceil(size / 1024 / 1024)} MB`
  say(
    `${into} holds ${megabytes(bytes)}, of which Node takes ${megabytes(lstatSync(join(into, "usr/bin/node")).size)}.`
  )
  if (bytes > BYTES_MAX) throw new Failure(`That is more than ${megabytes(BYTES_MAX)}.`, "Leave out what nothing runs.")
}
