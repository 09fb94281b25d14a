/** Faults that change nothing anybody could notice, of the statements that hold and settle credits. */
const STATEMENTS = "packages/adapters/src/postgres/journal/Statements.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const MONEY = {
  "nothing that comes back leaves a sum as it is": of(
    STATEMENTS,
    [
      "rged)::bigint AS rest FROM closed WHERE reserved > charged AND run_id IS NOT NULL GROUP BY 1, 2 OR",
      "rged)::bigint AS rest FROM closed WHERE true AND run_id IS NOT NULL GROUP BY 1, 2 OR"
    ],
    [
      "rged)::bigint AS rest FROM closed WHERE reserved > charged GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 ) d W",
      "rged)::bigint AS rest FROM closed WHERE true GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 ) d W"
    ],
    [
      "rged)::bigint AS rest FROM closed WHERE reserved > charged GROUP BY 1 ORDER BY 1 ) d WHERE a.works",
      "rged)::bigint AS rest FROM closed WHERE true GROUP BY 1 ORDER BY 1 ) d WHERE a.works"
    ],
    [
      "int AS rest FROM closed WHERE reserved > charged AND run_id IS NOT NULL GROUP BY",
      "int AS rest FROM closed WHERE reserved >= charged AND run_id IS NOT NULL GROUP BY"
    ],
    [
      "int AS rest FROM closed WHERE reserved > charged GROUP BY 1, 2, 3 ORDER BY 1, 2,",
      "int AS rest FROM closed WHERE reserved >= charged GROUP BY 1, 2, 3 ORDER BY 1, 2,"
    ],
    [
      "int AS rest FROM closed WHERE reserved > charged GROUP BY 1 ORDER BY 1 ) d WHERE",
      "int AS rest FROM closed WHERE reserved >= charged GROUP BY 1 ORDER BY 1 ) d WHERE"
    ]
  ),
  "no run has no id, so that nothing comes back to it": of(STATEMENTS, [
    "ROM closed WHERE reserved > charged AND run_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2 ) d WHERE r",
    "ROM closed WHERE reserved > charged AND true GROUP BY 1, 2 ORDER BY 1, 2 ) d WHERE r"
  ]),
  "a key that has not changed since is decoded once more": of(STATEMENTS, [
    "k.xmin::text || k.ctid::text, CASE WHEN k.xmin::text || k.ctid::text = i.known THEN NULL ELSE json_build_object( 'keyI",
    "k.xmin::text || k.ctid::text, CASE WHEN false THEN NULL ELSE json_build_object( 'keyI"
  ]),
  "a lease ends within a microsecond that nobody meets": of(STATEMENTS, [
    "ncarnation = $4::uuid AND heartbeat_at >= clock_timestamp() - interval '${LEASE_M",
    "ncarnation = $4::uuid AND heartbeat_at > clock_timestamp() - interval '${LEASE_M"
  ]),
  "reads more of the same workspace, each known by its own key, run and Idempotency-Key": of(
    STATEMENTS,
    ["ON r.workspace_id = i.workspace_id AND r.run_id = i.run_id`", "ON r.workspace_id = i.workspace_id AND true`"],
    [
      "ON r.workspace_id = i.workspace_id AND r.key_id = i.key_id AND r.idempotency_key = i.idempotency_k",
      "ON r.workspace_id = i.workspace_id AND true AND r.idempotency_key = i.idempotency_k"
    ],
    [
      "orkspace_id AND r.key_id = i.key_id AND r.idempotency_key = i.idempotency_key`",
      "orkspace_id AND r.key_id = i.key_id AND true`"
    ]
  ),
  "locks the account of a call that gives nothing back too: who needs it waits a moment longer": of(STATEMENTS, [
    "ELECT a.available FROM accounts a WHERE i.gives_back AND a.workspace_id = i.workspace_id FOR",
    "ELECT a.available FROM accounts a WHERE true AND a.workspace_id = i.workspace_id FOR"
  ]),
  "who is nobody is split into nobody": of(
    STATEMENTS,
    [
      "bjects, ' ')) AS s (address_hash) WHERE c.subjects IS NOT NULL AND (c.is_listed OR c.body IS NOT NULL",
      "bjects, ' ')) AS s (address_hash) WHERE true AND (c.is_listed OR c.body IS NOT NULL"
    ],
    [
      "bjects, ' ')) AS s (address_hash) WHERE c.subjects IS NOT NULL AND c.person_key IS NOT NULL ORDER BY 1",
      "bjects, ' ')) AS s (address_hash) WHERE true AND c.person_key IS NOT NULL ORDER BY 1"
    ]
  ),
  "a record is known by its call, and by its key, Idempotency-Key and phase: either is enough": of(
    STATEMENTS,
    ...[1, 2].flatMap((nth) => [
      [
        "AND r.workspace_id = c.workspace_id AND r.key_id = c.key_id AND r.idempotency_key = c.idempotency_k",
        "AND r.workspace_id = c.workspace_id AND true AND r.idempotency_key = c.idempotency_k",
        nth
      ],
      [
        "orkspace_id AND r.key_id = c.key_id AND r.idempotency_key = c.idempotency_key AND r.phase = c.idempotency_phase AND r",
        "orkspace_id AND r.key_id = c.key_id AND true AND r.phase = c.idempotency_phase AND r",
        nth
      ]
    ]),
    [
      "idempotency_key = c.idempotency_key AND r.phase = c.idempotency_phase AND r.request_id = c.request_id ), fin",
      "idempotency_key = c.idempotency_key AND true AND r.request_id = c.request_id ), fin"
    ],
    [
      "y AND r.phase = c.idempotency_phase AND r.request_id = c.request_id ), finished AS ( UPDATE idempotency_rec",
      "y AND r.phase = c.idempotency_phase AND true ), finished AS ( UPDATE idempotency_rec"
    ],
    [
      "idempotency_key = c.idempotency_key AND r.phase = c.idempotency_phase AND r.request_id = c.request_id ), ${R",
      "idempotency_key = c.idempotency_key AND true AND r.request_id = c.request_id ), ${R"
    ],
    [
      "y AND r.phase = c.idempotency_phase AND r.request_id = c.request_id ), ${RETURNED} ${CLOSED}`",
      "y AND r.phase = c.idempotency_phase AND true ), ${RETURNED} ${CLOSED}`"
    ]
  )
}
