import { findPostsContract, findPostsRequestsContract } from "@outbound/testkit/contracts/service/findPosts.js"
import { findPostsProperties } from "@outbound/testkit/contracts/service/findPostsProperties.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

const service = over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie))

findPostsContract("postgres", service)
findPostsRequestsContract("postgres", service)
findPostsProperties("postgres", service, 40)
