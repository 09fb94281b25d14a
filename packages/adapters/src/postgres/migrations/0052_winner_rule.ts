import type { Migration } from "./Migration.js"

export const winnerRule: Migration = {
  id: 52,
  name: "winner_rule",
  note: "People may approve a rule with a launch, which chooses the better variant of a message.",
  sql: `
ALTER TABLE campaigns ADD COLUMN winner_rule jsonb;
ALTER TABLE approvals ADD COLUMN approves_winner_rule boolean NOT NULL DEFAULT false;
ALTER TABLE approval_votes ADD COLUMN approves_winner_rule boolean NOT NULL DEFAULT false;

CREATE TRIGGER signals_choice AFTER UPDATE OF chosen_variants, winner_rule ON campaigns
  FOR EACH ROW WHEN ((NEW.chosen_variants, NEW.winner_rule) IS DISTINCT FROM (OLD.chosen_variants, OLD.winner_rule))
  EXECUTE FUNCTION change_signal();

ALTER TABLE control_log DROP CONSTRAINT control_log_actor_kind_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_actor_kind_check CHECK (
  actor_kind IN ('key', 'user', 'operator', 'rule')
);
ALTER TABLE control_log DROP CONSTRAINT control_log_action_check;
ALTER TABLE control_log ADD CONSTRAINT control_log_action_check CHECK (
  action IN (
    'create_key', 'pause_key', 'resume_key', 'revoke_key', 'set_policy', 'create_run', 'close_run', 'set_caps',
    'set_postal_address', 'set_reply_send', 'kill', 'clear_suspension', 'add_member', 'set_role', 'remove_member',
    'add_webhook', 'set_webhook', 'rotate_webhook_secret', 'set_alert_threshold', 'set_own_key', 'remove_own_key',
    'set_chat_channel', 'remove_chat_channel', 'set_approval_rules', 'choose_variant', 'set_winner_rule', 'start_list',
    'set_overlap', 'set_crm', 'remove_crm', 'map_crm_owner', 'add_domain', 'remove_domain', 'set_dns_access',
    'remove_dns_access', 'approve_dns_records', 'check_domain', 'set_reputation_rule'
  )
);
`
}
