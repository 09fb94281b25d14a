import * as DirectoryImportLive from "@outbound/domain/data/directory/DirectoryImport.js"
import { Layer } from "effect"
import { directoryContract } from "../../src/contracts/directory.js"
import { layer } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"

directoryContract("memory", DirectoryImportLive.layer.pipe(Layer.provideMerge(Layer.merge(layer, TestCrypto.layer))))
