import { Layer } from "effect"
import { workspacesContract } from "../../src/contracts/workspaces.js"
import { workspacesBesideContract } from "../../src/contracts/workspacesBeside.js"
import { layer } from "../../src/memory/layer.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"

workspacesContract("memory", Layer.provideMerge(MemoryHosts.layer, layer))
workspacesBesideContract("memory", Layer.provideMerge(MemoryHosts.layer, layer))
