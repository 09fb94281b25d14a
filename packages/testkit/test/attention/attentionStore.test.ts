import { attentionStoreContract } from "../../src/attention/attentionStoreContract.js"
import { layer } from "../../src/memory/layer.js"

attentionStoreContract("memory", layer)
