import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { memoryStore } from "./MemoryStore.js"

export const layer = memoryStore(RuleStore, "RuleStore", ({ read, write }) => ({
  rules: (workspaceId) => read(({ workspaceRules }) => workspaceRules.get(workspaceId) ?? DEFAULT_RULES),
  setRules: (workspaceId, rules) => write(({ workspaceRules }) => workspaceRules.set(workspaceId, rules))
}))
