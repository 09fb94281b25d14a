/**
 * The faults that can be made in a file, found in its syntax tree: one small change each, of the kinds that people make.
 * A fault is a span of the text and what it becomes. None changes what the file exports, so all of a file's faults can
 * stand in it at once, each behind its switch (`instrument.mjs`).
 */
import { isLock, isSql, sqlFaults } from "./sqlOperators.mjs"

const BOUNDARIES = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }
const NEGATIONS = { "===": "!==", "!==": "===", "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<" }
const ARITHMETIC = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" }
const ASSIGNMENTS = { "+=": "-=", "-=": "+=", "*=": "/=" }

/** Methods and functions whose opposite has the same type. */
const OPPOSITES = {
  __proto__: null,
  some: "every",
  every: "some",
  isSome: "isNone",
  isNone: "isSome",
  isFailure: "isSuccess",
  isSuccess: "isFailure",
  startsWith: "endsWith",
  endsWith: "startsWith",
  findLast: "find",
  floor: "ceil",
  ceil: "floor"
}

/** Methods that give back something of their receiver's type, so that they can be left out. */
const DROPPED = new Set([
  "filter",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "slice",
  "trim",
  "trimStart",
  "trimEnd",
  "toLowerCase",
  "toUpperCase",
  "concat",
  "normalize",
  "padStart",
  "padEnd",
  "replace",
  "replaceAll"
])

/** What is said to a log or a trace changes nothing that is promised. */
const TELLING =
  /^(yield\*\s*)?(Effect\.(log|annotate|withLogSpan|asVoid)|inSpan\(|about\(|note\(|tell\(|told\(|Metric\.|span\b)/

/** Steps that only the compiler sees: what reads the answer of a statement has other errors and another type than it. */
const TYPES_ONLY =
  /^(Schema\.brand\(|orUnavailable\(|(?:run|rows|column|changes|hasRows|firstRow|firstValue|mapOf|countRows)\((?:"|operation\b)|Effect\.map\(\((\w+)(: \w+)?\)(: \w+)? => \2\)$)/

/** Longer lists are data (words, names, zones), and tests of data pin it. */
const ELEMENTS_MAX = 30

const isNode = (value) => value !== null && typeof value === "object" && typeof value.type === "string"

/** Types, and what wraps an expression only to name its type. */
const TYPED = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSInstantiationExpression"])
const SKIPPED_KEYS = new Set([
  "typeAnnotation",
  "typeArguments",
  "typeParameters",
  "superTypeArguments",
  "returnType",
  "implements",
  "parent"
])

const isStringLike = ({ type, value }) =>
  type === "TemplateLiteral" || (type === "Literal" && typeof value === "string")

const holdsString = (node) =>
  isStringLike(node) ||
  (node.type === "BinaryExpression" && node.operator === "+" && (holdsString(node.left) || holdsString(node.right)))

/** A number, or one calculated from numbers and other constants. */
const isNumeric = (node) =>
  node !== null &&
  ((node.type === "Literal" && typeof node.value !== "string" && typeof node.value !== "boolean") ||
    (node.type === "Identifier" && /^[A-Z][A-Z0-9_]+$/.test(node.name)) ||
    (node.type === "ParenthesizedExpression" && isNumeric(node.expression)) ||
    (node.type === "BinaryExpression" && isNumeric(node.left) && isNumeric(node.right)))

/** A number, or several under their names. */
const isSettingOf = (node) =>
  isNumeric(node) ||
  (node?.type === "ObjectExpression" &&
    node.properties.every(({ type, value }) => type === "Property" && isNumeric(value)))

const isPlain = ({ type }) => type !== "SpreadElement"

const nameOf = (node) => {
  if (node.type === "Identifier") return node.name
  if (node.type === "MemberExpression" && !node.computed) return node.property.name
  return undefined
}

/** Texts that stand in the file under one name: of them, one can be taken for another. */
const valuesByName = (program) => {
  const values = new Map()
  const add = (name, node) => {
    if (name === undefined || node.type !== "Literal" || typeof node.value !== "string") return
    const known = values.get(name) ?? []
    if (!known.includes(node.value)) values.set(name, [...known, node.value])
  }
  const addTypes = (name, type) => {
    if (type?.type === "TSLiteralType") add(name, type.literal)
    if (type?.type === "TSUnionType") for (const each of type.types) addTypes(name, each)
  }
  const visit = (node) => {
    if (node.type === "Property" && node.key.type === "Identifier") {
      const arms = node.value.type === "ConditionalExpression" ? [node.value.consequent, node.value.alternate] : []
      for (const value of [node.value, ...arms]) if (isNode(value)) add(node.key.name, value)
    }
    if (node.type === "TSPropertySignature" && node.key.type === "Identifier") {
      addTypes(node.key.name, node.typeAnnotation?.typeAnnotation)
    }
    if (node.type === "BinaryExpression") add(nameOf(node.left), node.right)
    for (const child of childrenOf(node, true)) visit(child)
  }
  visit(program)
  return values
}

const childrenOf = (node, withTypes = false) => {
  const children = []
  for (const [key, value] of Object.entries(node)) {
    if (!withTypes && SKIPPED_KEYS.has(key)) continue
    if (Array.isArray(value)) children.push(...value.filter(isNode))
    else if (isNode(value)) children.push(value)
  }
  return children
}

/** Where a condition is forced to true and to false, its own negation shows no more. */
const isForced = (parent, node) =>
  parent !== undefined &&
  (((parent.type === "IfStatement" || parent.type === "ConditionalExpression" || parent.type === "WhileStatement") &&
    parent.test === node) ||
    (parent.type === "LogicalExpression" && parent.operator !== "??") ||
    (parent.type === "UnaryExpression" && parent.operator === "!"))

export const faultsOf = (text, program) => {
  const faults = []
  const values = valuesByName(program)
  const of = (node) => text.slice(node.start, node.end)
  const add = (node, kind, replacement, isStatement = false) =>
    faults.push({ start: node.start, end: node.end, kind, text: replacement, isStatement })
  /** The node's text with a part of it replaced. */
  const within = (node, part, replacement) =>
    text.slice(node.start, part.start) + replacement + text.slice(part.end, node.end)
  /** The node's text without one of its listed parts, and without the comma that belongs to it. */
  const without = (node, parts, index) => {
    const from = index === 0 ? parts[0].start : parts[index - 1].end
    const to = index === 0 ? (parts[1]?.start ?? parts[0].end) : parts[index].end
    return text.slice(node.start, from) + text.slice(to, node.end)
  }

  const kinds = {
    ConditionalExpression: (node) => {
      add(node, "always the first arm", of(node.consequent))
      add(node, "always the second arm", of(node.alternate))
    },
    IfStatement: (node) => {
      add(node.test, "condition true", "true")
      add(node.test, "condition false", "false")
    },
    WhileStatement: (node) => add(node.test, "loop never entered", "false"),
    LogicalExpression: (node) => {
      add(node, `without the right of ${node.operator}`, of(node.left))
      add(node, `without the left of ${node.operator}`, of(node.right))
    },
    BinaryExpression: (node, parent) => {
      const { left, operator, right } = node
      const swapped = (by) => text.slice(node.start, left.end) + ` ${by} ` + text.slice(right.start, node.end)
      if (BOUNDARIES[operator] !== undefined) add(node, "boundary", swapped(BOUNDARIES[operator]))
      if (NEGATIONS[operator] !== undefined && !isForced(parent, node)) {
        add(node, "negated", swapped(NEGATIONS[operator]))
      }
      const isSum = operator !== "+" || !(holdsString(left) || holdsString(right))
      if (ARITHMETIC[operator] !== undefined && isSum && !isSetting)
        add(node, "arithmetic", swapped(ARITHMETIC[operator]))
    },
    UnaryExpression: (node, parent) => {
      if (node.operator === "-" || (node.operator === "!" && !isForced(parent, node)))
        add(node, `without ${node.operator}`, of(node.argument))
    },
    AssignmentExpression: (node) => {
      const by = ASSIGNMENTS[node.operator]
      if (by !== undefined) add(node, "arithmetic", `${of(node.left)} ${by} ${of(node.right)}`)
    },
    AwaitExpression: (node) => add(node, "not awaited", of(node.argument)),
    Literal: (node, parent) => {
      if (typeof node.value === "boolean") add(node, "boolean", String(!node.value))
      if (isSetting) return
      if (typeof node.value === "number" && Number.isInteger(node.value)) add(node, "off by one", `(${node.raw} + 1)`)
      if (typeof node.bigint === "string") add(node, "off by one", `(${node.raw} + 1n)`)
      if (typeof node.value === "string" && isLock(node.value)) add(node, "SQL: lock left out", '""')
      if (typeof node.value === "string" && parent?.type === "Property" && parent.value === node) {
        const known = values.get(parent.key.name) ?? []
        const other = known[(known.indexOf(node.value) + 1) % known.length]
        if (other !== undefined && other !== node.value) add(node, "another value", JSON.stringify(other))
      }
    },
    ArrayExpression: (node, parent) => {
      const { elements } = node
      if (elements.length === 0 || elements.length > ELEMENTS_MAX || elements.includes(null)) return
      // A list of a list is a tuple, whose length is part of its type.
      if (parent?.type === "ArrayExpression" || parent?.type === "NewExpression") return
      if (elements.length === 1) add(node, "empty list", "[]")
      else for (let at = 0; at < elements.length; at++) add(node, "element left out", without(node, elements, at))
    },
    ObjectExpression: (node) => {
      for (const [at, property] of node.properties.entries()) {
        // What is spread first has the members that the type demands, so that the compiler notices.
        const isWhole = at === 0 && property.argument?.type === "Identifier"
        if (property.type === "SpreadElement" && !isWhole)
          add(node, "spread left out", without(node, node.properties, at))
      }
    },
    ExpressionStatement: (node) => {
      if ((node.directive ?? null) === null && !TELLING.test(of(node))) add(node, "statement left out", "", true)
    },
    CallExpression: (node, parent) => {
      const { arguments: given, callee } = node
      const name = nameOf(callee)
      if (callee.type === "MemberExpression" && !callee.optional) {
        const receiver = of(callee.object)
        if (receiver === "Math" && (name === "min" || name === "max")) {
          for (const argument of given.filter(isPlain)) add(node, `${name} of one`, of(argument))
          return
        }
        if (name === "pipe") {
          for (const [at, argument] of given.entries()) {
            const step = of(argument)
            if (TELLING.test(step) || TYPES_ONLY.test(step) || argument.type === "Identifier") continue
            add(node, "step left out", given.length === 1 ? receiver : without(node, given, at))
          }
        }
        if (DROPPED.has(name) && !/^[A-Z]/.test(receiver)) add(node, `without ${name}`, receiver)
        if (name === "filter" && /^(Arr|Array|Effect|Option|Stream)$/.test(receiver) && given.length === 2) {
          add(node, "without filter", of(given[0]))
        }
      }
      if (callee.type === "Identifier" && (name === "min" || name === "max") && given.length === 2) {
        for (const argument of given.filter(isPlain)) add(node, `${name} of one`, of(argument))
      }
      if (callee.type === "Identifier" && /^minus|^subtract/.test(name) && given.length === 2) {
        add(node, "arguments swapped", `${name}(${of(given[1])}, ${of(given[0])})`)
      }
      if (OPPOSITES[name] !== undefined && !isForced(parent, node) && callee.type === "MemberExpression") {
        add(node, `${name} for ${OPPOSITES[name]}`, within(node, callee.property, OPPOSITES[name]))
      }
    },
    TemplateLiteral: (node, parent) => {
      if (parent?.type === "TaggedTemplateExpression") return
      if (!isSql(of(node))) return
      for (const { kind, changed } of sqlFaults(of(node), placesOf(node))) add(node, kind, changed)
    },
    TaggedTemplateExpression: (node) => {
      if (nameOf(node.tag) !== "sql") return
      for (const { kind, changed } of sqlFaults(of(node.quasi), placesOf(node.quasi))) {
        add(node, kind, within(node, node.quasi, changed))
      }
    }
  }

  /** What stands in `${}`, as spans of the template's own text. */
  const placesOf = (template) =>
    template.expressions.map(({ end, start }) => ({ start: start - template.start, end: end - template.start }))

  /** Within a constant of the module, whose value is a choice: a test of it could only repeat it. */
  let isSetting = false

  /** `inChain`: a part of `a?.b.c`, which can't be taken out of it. */
  const visit = (node, parent, inChain = false) => {
    if (node.type.startsWith("TS") && !TYPED.has(node.type)) return
    if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return
    // What is said of a schema, and how its types are compared while they compile.
    if (node.type === "CallExpression" && nameOf(node.callee) === "annotations") {
      visit(node.callee, node, inChain)
      return
    }
    if (node.type === "Property" && node.key.name === "strict") return
    if (!inChain) kinds[node.type]?.(node, parent)
    if (node.type === "VariableDeclarator" && /^[A-Z][A-Z0-9_]+$/.test(node.id.name ?? "")) {
      const before = isSetting
      isSetting = isSettingOf(node.init)
      visitChildren(node, inChain)
      isSetting = before
      return
    }
    visitChildren(node, inChain)
  }

  const visitChildren = (node, inChain) => {
    for (const child of childrenOf(node)) {
      if (isTarget(node, child)) continue
      const isLink = (node.type === "MemberExpression" && node.object === child) || node.callee === child
      // The call at the end of a chain is the chain.
      visit(child, node, node.type === "ChainExpression" ? child.type !== "CallExpression" : inChain && isLink)
    }
  }

  /** Names and targets are no values that could be replaced where they stand. */
  const isTarget = (node, child) =>
    ((node.type === "Property" || node.type === "PropertyDefinition" || node.type === "MethodDefinition") &&
      node.key === child &&
      !node.computed) ||
    (node.type === "AssignmentExpression" && node.left === child) ||
    node.type === "UpdateExpression" ||
    node.type === "ObjectPattern" ||
    node.type === "ArrayPattern" ||
    (node.type === "UnaryExpression" && (node.operator === "delete" || node.operator === "typeof"))

  visit(program, undefined)
  return faults.filter((fault) => fault.text !== text.slice(fault.start, fault.end))
}
