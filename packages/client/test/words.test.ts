import { makeRenderer, type JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { fileURLToPath } from "node:url"
import { assert, expect, it } from "vitest"
import { formatted } from "../../testkit/test/docs/formatted.js"

const FOLDER = fileURLToPath(new URL("../src/words/", import.meta.url))

const comment = (words: string): string => {
  const lines = words.replaceAll("*/", "*\\/").split("\n")
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`
}

const { definitions, render } = makeRenderer()
const rendered = verbList.map((verb) => [verb, render(verb.request)] as const)

/** A reference stands for its definition; words beside it are about this use of it. */
const resolved = (schema: JsonSchema): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  return { ...resolved(definitions()[$ref.split("/").at(-1) ?? ""] ?? {}), ...beside }
}

const bounds = (schema: JsonSchema): ReadonlyArray<string> => {
  const { default: given, maximum, minimum } = schema as Readonly<Record<string, unknown>>
  return [
    ...(typeof minimum === "number" && typeof maximum === "number" ? [`${minimum} to ${maximum}.`] : []),
    ...(given === undefined ? [] : [`Default: ${JSON.stringify(given)}.`])
  ]
}

const memberOf = (name: string, schema: JsonSchema, isRequired: boolean): string => {
  const full = resolved(schema)
  const words = [full.description ?? "", ...bounds(full)].filter((one) => one !== "").join(" ")
  return `${words === "" ? "" : `${comment(words)}\n`}readonly ${name}${isRequired ? "" : "?"}: unknown`
}

const verbOf = (verb: AnyVerb, request: JsonSchema): string => {
  const { properties = {}, required = [] } = resolved(request)
  const members = Object.entries(properties).map(([name, schema]) => memberOf(name, schema, required.includes(name)))
  const words = `${verb.summary}\n\n${verb.description}\n\nReference: docs/reference/${verb.name}.md`
  return `${comment(words)}\nreadonly ${verb.name}: {\n${members.join("\n")}\n}`
}

/** Each a file. */
const GROUPS: Readonly<Record<string, (verb: AnyVerb) => boolean>> = {
  DataVerbs: ({ mode, planVersion }) => mode === "act" && planVersion === 3,
  ActingVerbs: ({ mode, planVersion }) => mode === "act" && planVersion !== 3,
  ReadingVerbs: ({ mode }) => mode === "read"
}

// Written anew by running this file with `--update`.
it.each(Object.entries(GROUPS))("the words that an editor shows are those of the verbs: %s", async (name, isOfIt) => {
  const verbs = rendered.filter(([verb]) => isOfIt(verb)).map(([verb, request]) => verbOf(verb, request))
  const text = `/** Made from the verbs: run words.test.ts with \`--update\`. */\nexport interface ${name} {\n${verbs.join("\n\n")}\n}\n`
  await expect(await formatted(text, `${name}.ts`)).toMatchFileSnapshot(`${FOLDER}${name}.ts`)
})

it("every verb and every member of a request says something", () => {
  const silent = rendered.flatMap(([verb, request]) =>
    Object.entries(resolved(request).properties ?? {}).flatMap(([name, schema]) =>
      (resolved(schema).description ?? "") === "" && bounds(resolved(schema)).length === 0
        ? [`${verb.name}.${name}`]
        : []
    )
  )
  assert.isAtMost(silent.length, 60, silent.join(", "))
})
