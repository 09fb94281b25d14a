import { erasingContract } from "../../src/contracts/erasing.js"
import { erasingFindingsContract } from "../../src/contracts/erasingFindings.js"
import { layer } from "../../src/memory/layer.js"

erasingContract("memory", layer)
erasingFindingsContract("memory", layer)
