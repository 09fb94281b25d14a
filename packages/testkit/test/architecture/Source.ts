import { parseSync, Visitor } from "oxc-parser"

/** A place where a module is named: a static or dynamic import, a re-export, or an import inside a type. */
export interface Import {
  /** Absent where a dynamic import's argument is not a literal, so that nobody can tell what it loads. */
  readonly specifier: string | undefined
  readonly line: number
}

/** A call that gives a service its global key. */
export interface TagKey {
  /** Absent where the key is not a literal. */
  readonly key: string | undefined
  readonly line: number
}

/** A use of something that is not a function of its arguments: the clock, chance, the process, the network. */
export interface Ambient {
  readonly name: string
  readonly line: number
}

/** What the rules need of one source file. */
export interface Source {
  /** Relative to the repository, with forward slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: ReadonlyArray<Import>
  readonly tagKeys: ReadonlyArray<TagKey>
  /** Those that say also how they are made. */
  readonly services: ReadonlyArray<TagKey>
  readonly ambient: ReadonlyArray<Ambient>
  /** The states of the machines that the file defines. */
  readonly machineStates: ReadonlyArray<string>
  /** Where something named `state` is compared with a literal, or a `switch` is made over it. */
  readonly comparedStates: ReadonlyArray<{ readonly state: string; readonly line: number }>
  /** Where spans are made by Effect's own means. */
  readonly spans: ReadonlyArray<Ambient>
  /** Where a minute, an hour or a day gets a name. */
  readonly durations: ReadonlyArray<Ambient>
  /** Where an assertion compares an `Option` as it is. */
  readonly comparedOptions: ReadonlyArray<number>
}

const AMBIENT_MEMBERS = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "crypto.randomUUID",
  "crypto.getRandomValues"
])
const SPAN_MAKERS = new Set([
  "Effect.fn",
  "Effect.withSpan",
  "Effect.withSpanScoped",
  "Effect.makeSpan",
  "Effect.makeSpanScoped",
  "Effect.useSpan"
])
const AMBIENT_GLOBALS = new Set(["fetch", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"])
const AMBIENT_OBJECTS = new Set(["process", "console"])

/** The name of `a` or `a.b` (`globalThis.` left out), or nothing for any other expression. */
const nameOf = (node: {
  readonly type: string
  readonly name?: unknown
  readonly object?: unknown
  readonly property?: unknown
}): string | undefined => {
  if (node.type === "Identifier") return String(node.name)
  if (node.type !== "MemberExpression") return undefined
  const object = nameOf(node.object as Parameters<typeof nameOf>[0])
  const property = nameOf(node.property as Parameters<typeof nameOf>[0])
  if (object === undefined || property === undefined) return undefined
  return object === "globalThis" ? property : `${object}.${property}`
}

/** Whether an expression is a state by its name: `state`, `lead.state`, `before?.state`, `this.#state`, `newState`. */
const isState = (node: { readonly type: string; readonly [part: string]: unknown }): boolean => {
  const inside = (part: unknown) => isState(part as Parameters<typeof isState>[0])
  if (node.type === "ChainExpression") return inside(node["expression"])
  if (node.type === "MemberExpression") return inside(node["property"])
  return node.type.endsWith("Identifier") && /^state$|State$/.test(String(node["name"]))
}

const literalOf = (
  node: { readonly type: string; readonly value?: unknown; readonly quasis?: unknown } | null | undefined
): string | undefined => (node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined)

/** Parses a file. Fails, by throwing, on one that is not TypeScript. */
export const readSource = (path: string, text: string): Source => {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)

  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length
  const imports: Array<Import> = []
  const tagKeys: Array<TagKey> = []
  const services: Array<TagKey> = []
  const ambient: Array<Ambient> = []
  const spans: Array<Ambient> = []
  const durations: Array<Ambient> = []
  const comparedOptions: Array<number> = []
  const machineStates: Array<string> = []
  const comparedStates: Array<{ readonly state: string; readonly line: number }> = []
  const imported = (source: Parameters<typeof literalOf>[0], start: number) =>
    imports.push({ specifier: literalOf(source), line: lineAt(start) })
  const uses = (name: string, start: number) => ambient.push({ name, line: lineAt(start) })

  const compares = (
    [left, right]: readonly [Parameters<typeof isState>[0], Parameters<typeof literalOf>[0]],
    start: number
  ) => {
    const state = literalOf(right)
    if (state !== undefined && isState(left)) comparedStates.push({ state, line: lineAt(start) })
  }

  new Visitor({
    BinaryExpression: (node) => {
      if (!/^[!=]==?$/.test(node.operator)) return
      compares([{ ...node.left }, node.right], node.start)
      compares([{ ...node.right }, node.left as Parameters<typeof literalOf>[0]], node.start)
    },
    SwitchStatement: (node) => {
      for (const { start, test } of node.cases) compares([{ ...node.discriminant }, test], start)
    },
    VariableDeclarator: (node) => {
      const name = nameOf(node.id)
      if (name !== undefined && /^(MINUTE|HOUR|DAY)_MILLIS$/.test(name))
        durations.push({ name, line: lineAt(node.start) })
    },
    ImportDeclaration: (node) => void imported(node.source, node.start),
    ExportAllDeclaration: (node) => void imported(node.source, node.start),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) imported(node.source, node.start)
    },
    ImportExpression: (node) => void imported(node.source, node.start),
    TSImportType: (node) => void imported(node.source, node.start),
    TSExternalModuleReference: (node) => void imported(node.expression, node.start),
    NewExpression: (node) => {
      if (nameOf(node.callee) === "Date" && node.arguments.length === 0) uses("new Date()", node.start)
    },
    MemberExpression: (node) => {
      const name = nameOf(node)
      if (name === undefined) return
      if (SPAN_MAKERS.has(name)) spans.push({ name, line: lineAt(node.start) })
      if (AMBIENT_MEMBERS.has(name) || AMBIENT_OBJECTS.has(name.split(".")[0] ?? "")) uses(name, node.start)
    },
    CallExpression: (node) => {
      const callee = nameOf(node.callee)
      const named = { key: literalOf(node.arguments[0]), line: lineAt(node.start) }
      // `Context.Service<Self, Shape>()("key")`: the key comes with the second call.
      if (node.callee.type === "CallExpression" && nameOf(node.callee.callee) === "Context.Service") {
        tagKeys.push(named)
        if (node.arguments.length > 1) services.push(named)
      }
      if (callee === undefined) return
      if (callee === "assert.deepStrictEqual" || callee === "assert.deepEqual") {
        const [, expected] = node.arguments
        const made = expected?.type === "CallExpression" ? nameOf(expected.callee) : undefined
        if (made === "Option.some" || made === "Option.none") comparedOptions.push(lineAt(node.start))
      }
      if (callee === "defineMachine" && node.arguments[1]?.type === "ObjectExpression") {
        for (const part of node.arguments[1].properties) {
          if (part.type !== "Property" || nameOf(part.key) !== "states" || part.value.type !== "ArrayExpression")
            continue
          for (const state of part.value.elements) machineStates.push(literalOf(state) ?? "")
        }
      }
      if (AMBIENT_GLOBALS.has(callee)) uses(callee, node.start)
      if (callee === "require") imported(node.arguments[0], node.start)
      const isKeyed = callee === "Context.Service" && node.arguments.length > 0
      if (isKeyed || callee === "Context.Reference") tagKeys.push(named)
    }
  }).visit(parsed.program)

  const lines = text.trimEnd().split("\n").length
  return {
    path,
    lines,
    imports,
    tagKeys,
    services,
    ambient,
    spans,
    machineStates,
    comparedStates,
    durations,
    comparedOptions
  }
}
