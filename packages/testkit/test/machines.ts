import type { Grouped } from "@outbound/domain/kernel/machine.js"
import { readdirSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"

const DOMAIN = fileURLToPath(new URL("../../domain/src/", import.meta.url))

export type AnyMachine = Grouped<string, string, Readonly<Record<string, ReadonlyArray<string>>>>

const isMachine = (value: unknown): value is AnyMachine =>
  typeof value === "object" && value !== null && "table" in value && "initial" in value

/** Every machine of the domain, in whatever folder. */
export const machines = async (): Promise<ReadonlyArray<AnyMachine>> => {
  const files = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("Machine.ts"))
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(`${DOMAIN}${file}`).href) as Promise<Record<string, unknown>>)
  )
  return modules.flatMap((module) => Object.values(module).filter(isMachine)).sort((a, b) => (a.name < b.name ? -1 : 1))
}
