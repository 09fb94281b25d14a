import { findPostsContract, findPostsRequestsContract } from "@outbound/testkit/contracts/service/findPosts.js"
import { findPostsProperties } from "@outbound/testkit/contracts/service/findPostsProperties.js"
import { service } from "./service.js"

findPostsContract("postgres", service)
findPostsRequestsContract("postgres", service)
findPostsProperties("postgres", service, 40)
