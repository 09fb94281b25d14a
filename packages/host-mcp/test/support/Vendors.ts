import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"

/*
 * What the makers of models take as a tool's input, as each publishes it. Written out here, and not asked of a library: the
 * libraries repair schemas on their way, each in its own manner.
 */

/** What is wrong with a tool for a vendor, with the place of each mistake. */
export type Check = (tool: {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}) => ReadonlyArray<string>

type Visit = (schema: JsonSchema, path: string, depth: number) => ReadonlyArray<string>

const partsOf = (schema: JsonSchema): ReadonlyArray<readonly [path: string, part: JsonSchema]> => [
  ...Object.entries(schema.properties ?? {}).map(([name, part]) => [`.${name}`, part] as const),
  ...(schema.items === undefined ? [] : [["[]", schema.items] as const]),
  ...["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    ((schema[keyword] ?? []) as ReadonlyArray<JsonSchema>).map((part, index) => [`.${keyword}${index}`, part] as const)
  ),
  ...["not", "additionalProperties", "propertyNames"].flatMap((keyword) =>
    typeof schema[keyword] === "object" ? [[`.${keyword}`, schema[keyword] as JsonSchema] as const] : []
  ),
  ...Object.entries((schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, part]) => [`.$defs.${name}`, part] as const
  )
]

/** Visits a schema and all its parts. */
const everywhere = (visit: Visit, schema: JsonSchema, path = "", depth = 0): ReadonlyArray<string> => [
  ...visit(schema, path, depth).map((mistake) => `${path}: ${mistake}`),
  ...partsOf(schema).flatMap(([step, part]) => everywhere(visit, part, `${path}${step}`, depth + 1))
]

const mistakes = (...found: ReadonlyArray<string | false>): ReadonlyArray<string> =>
  found.filter((one) => one !== false)

const unknownKeywords = (schema: JsonSchema, known: ReadonlySet<string>): ReadonlyArray<string> =>
  Object.keys(schema)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `unknown keyword ${keyword}`)

const missingMembers = ({ properties = {}, required = [] }: JsonSchema): ReadonlyArray<string> =>
  required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `required ${name} is not defined`)

/**
 * Gemini, `FunctionDeclaration.parameters` (API v1beta, `Schema`): one type for each value, texts alone as choices, members
 * for every object, and nothing beside `anyOf`. `parametersJsonSchema` takes more; many clients still send `parameters`.
 */
const GEMINI = new Set(
  [
    "type format title description nullable enum items maxItems minItems properties required",
    "minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default",
    "minimum maximum"
  ].flatMap((line) => line.split(" "))
)
const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"])
const GEMINI_FORMATS: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"]
}

export const gemini: Check = ({ inputSchema, name }) => [
  ...mistakes(!/^[A-Za-z_][\w.-]{0,63}$/.test(name) && `the name ${name}`),
  ...everywhere((schema) => {
    const { anyOf, enum: values, items, properties, type } = schema
    if (anyOf !== undefined) return Object.keys(schema).length > 1 ? ["keywords beside anyOf"] : []
    const format = schema["format"] as string | undefined
    return [
      ...unknownKeywords(schema, GEMINI),
      ...missingMembers(schema),
      ...mistakes(
        (typeof type !== "string" || !TYPES.has(type)) && `the type ${JSON.stringify(type)}`,
        (type === "object") !== (properties !== undefined && Object.keys(properties).length > 0) &&
          "members of no object",
        (type === "array") !== (items !== undefined) && "items of no array",
        values !== undefined &&
          (type !== "string" || values.some((one) => typeof one !== "string" || one === "")) &&
          "choices that are no texts",
        format !== undefined && !(GEMINI_FORMATS[String(type)] ?? []).includes(format) && `the format ${format}`
      )
    ]
  }, inputSchema)
]

/** Anthropic, `tools[].input_schema`: a plain object at the root, no references, and names that it can quote. */
export const anthropic: Check = ({ inputSchema, name }) => [
  ...mistakes(
    !/^[a-zA-Z0-9_-]{1,64}$/.test(name) && `the name ${name}`,
    inputSchema.type !== "object" && "the root is no object",
    ["oneOf", "anyOf", "allOf"].some((keyword) => keyword in inputSchema) && "alternatives at the root"
  ),
  ...everywhere(
    (schema) => [
      ...mistakes("$ref" in schema && "a reference"),
      ...Object.keys(schema.properties ?? {}).filter((one) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(one)),
      ...missingMembers(schema)
    ],
    inputSchema
  )
]

/** OpenAI, `tools[].function`: names and lengths, and an object at the root. */
export const openai: Check = ({ description, inputSchema, name }) => [
  ...mistakes(
    !/^[a-zA-Z0-9_-]{1,64}$/.test(name) && `the name ${name}`,
    description.length > 1_024 && `a description of ${description.length} characters`,
    inputSchema.type !== "object" && "the root is no object",
    ["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => keyword in inputSchema) && "alternatives at the root"
  ),
  ...everywhere(
    (schema) => [
      ...missingMembers(schema),
      ...mistakes(schema.type === "array" && schema.items === undefined && "items")
    ],
    inputSchema
  )
]

/** What clients make of a schema for strict mode: every object closed, every member required, and null for what may be absent. */
export const inStrictForm = (schema: JsonSchema): JsonSchema => {
  const { items, properties, required = [] } = schema
  return {
    ...schema,
    ...(items === undefined ? {} : { items: inStrictForm(items) }),
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          required: Object.keys(properties),
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => {
              const strict = inStrictForm(part)
              return [name, required.includes(name) ? strict : { anyOf: [strict, { type: "null" }] }]
            })
          )
        })
  }
}

/** OpenAI, structured outputs: the subset that strict mode takes, and its bounds. */
const STRICT = new Set(
  [
    "type description title enum const properties required additionalProperties items anyOf $ref $defs",
    "pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
  ].flatMap((line) => line.split(" "))
)
const STRICT_MEMBERS_MAX = 5_000
const STRICT_DEPTH_MAX = 10
const STRICT_CHARS_MAX = 120_000
const STRICT_CHOICES_MAX = 1_000

const sum = (schema: JsonSchema, of: (schema: JsonSchema) => number): number =>
  of(schema) + partsOf(schema).reduce((total, [, part]) => total + sum(part, of), 0)

const objectDepth = (schema: JsonSchema): number =>
  (schema.type === "object" ? 1 : 0) + Math.max(0, ...partsOf(schema).map(([, part]) => objectDepth(part)))

export const openaiStrict: Check = ({ inputSchema }) => {
  const schema = inStrictForm(inputSchema)
  const members = sum(schema, ({ properties = {} }) => Object.keys(properties).length)
  const choices = sum(schema, ({ enum: values = [] }) => values.length)
  const chars = sum(
    schema,
    ({ enum: values = [], properties = {} }) => [...Object.keys(properties), ...values.map(String)].join("").length
  )
  return [
    ...mistakes(
      members > STRICT_MEMBERS_MAX && `${members} members`,
      objectDepth(schema) > STRICT_DEPTH_MAX && `${objectDepth(schema)} levels`,
      choices > STRICT_CHOICES_MAX && `${choices} choices`,
      chars > STRICT_CHARS_MAX && `${chars} characters`
    ),
    ...everywhere(
      (part) => [
        ...unknownKeywords(part, STRICT),
        ...mistakes(
          part.anyOf === undefined && typeof part.type !== "string" && "no type",
          part.type === "object" && part.additionalProperties !== false && "an open object"
        )
      ],
      schema
    )
  ]
}

export const VENDORS: Readonly<Record<string, Check>> = {
  "Gemini's function declarations": gemini,
  "Anthropic's tools": anthropic,
  "OpenAI's functions": openai,
  "OpenAI's strict mode": openaiStrict
}
