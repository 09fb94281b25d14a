import type { Grouped } from "@outbound/domain/kernel/machine.js"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const DOMAIN = fileURLToPath(new URL("../../domain/src/", import.meta.url))

export type AnyMachine = Grouped<string, string, Readonly<Record<string, ReadonlyArray<string>>>>

const isMachine = (value: unknown): value is AnyMachine =>
  typeof value === "object" && value !== null && "table" in value && "initial" in value

const isList = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

export interface MachineFile {
  readonly machine: AnyMachine
  /** The lists of words that its file exports beside it, by their names: reasons, kinds, states asked for by name. */
  readonly lists: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Every machine of the domain, in whatever folder. Loaded by its path, as an import is, so that it is the same module. */
export const machineFiles = async (): Promise<ReadonlyArray<MachineFile>> => {
  const files = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("Machine.ts"))
  const modules = await Promise.all(files.map((file) => import(`${DOMAIN}${file}`) as Promise<Record<string, unknown>>))
  const found = modules.flatMap((module) => {
    const lists = Object.fromEntries(
      Object.entries(module).filter((entry): entry is [string, ReadonlyArray<string>] => isList(entry[1]))
    )
    return Object.values(module)
      .filter(isMachine)
      .map((machine) => ({ machine, lists }))
  })
  return found.sort((a, b) => (a.machine.name < b.machine.name ? -1 : 1))
}

export const machines = async (): Promise<ReadonlyArray<AnyMachine>> =>
  (await machineFiles()).map(({ machine }) => machine)
