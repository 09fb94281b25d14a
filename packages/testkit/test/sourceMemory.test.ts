import { sourceMemoryContract } from "../src/contracts/sourceMemory.js"
import { layer } from "../src/memory/layer.js"

sourceMemoryContract("memory", layer)
