import { Layer } from "effect"
import { layer } from "../../../src/memory/layer.js"
import * as TestIds from "../../../src/memory/TestIds.js"
import { openDirectoryContract } from "../../../src/wings/openDirectory/contract.js"

openDirectoryContract("memory", Layer.merge(layer, TestIds.layer))
