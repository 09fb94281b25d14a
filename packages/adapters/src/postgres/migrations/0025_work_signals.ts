import type { Migration } from "./Migration.js"

/** Hosts look at all first due times once a minute, so only what is due before their next look is signalled. */
export const workSignals: Migration = {
  id: 25,
  name: "work_signals",
  note: "Rows that a host's rounds look for wake the hosts when they are committed; idle hosts stop polling.",
  sql: `
-- The argument names the rounds. A transaction sends equal notifications once.
CREATE FUNCTION work_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbound_work', TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER signals_mail AFTER INSERT ON inbound_events
  FOR EACH STATEMENT EXECUTE FUNCTION work_signal('mail');

CREATE TRIGGER signals_active AFTER INSERT OR UPDATE OF state, window_opens_at, window_closes_at ON campaigns
  FOR EACH ROW WHEN (NEW.state = 'active')
  EXECUTE FUNCTION work_signal('completion,forbidden,mail,sequences,windows');

CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF state, next_at, steps_sent, approval_id ON campaign_leads
  FOR EACH ROW WHEN (NEW.state IN ('ready', 'active') AND NEW.next_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('forbidden,mail,sequences');
CREATE TRIGGER signals_ended AFTER UPDATE OF state ON campaign_leads
  FOR EACH ROW WHEN (NEW.state <> OLD.state AND NEW.state NOT IN ('pending', 'ready', 'active'))
  EXECUTE FUNCTION work_signal('completion');

CREATE TRIGGER signals_usable AFTER INSERT OR UPDATE OF state, pause_reason, upkeep_paid_until ON mailboxes
  FOR EACH ROW WHEN (NEW.state IN ('active', 'paused'))
  EXECUTE FUNCTION work_signal('mail,upkeep');

CREATE TRIGGER signals_held AFTER INSERT OR DELETE ON own_mailboxes
  FOR EACH STATEMENT EXECUTE FUNCTION work_signal('mailboxes');
CREATE TRIGGER signals_free AFTER UPDATE OF held_by ON own_mailboxes
  FOR EACH ROW WHEN (NEW.held_by IS NULL)
  EXECUTE FUNCTION work_signal('mailboxes');

-- Whoever takes a turn makes its campaign due at the turn's end.
CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF due_at, held_until ON vendor_campaigns
  FOR EACH ROW WHEN (NEW.due_at < now() + interval '2 minutes' AND NEW.due_at IS DISTINCT FROM NEW.held_until)
  EXECUTE FUNCTION work_signal('vendors');

CREATE TRIGGER signals_added AFTER INSERT ON webhook_deliveries
  FOR EACH ROW EXECUTE FUNCTION work_signal('webhooks');
CREATE TRIGGER signals_due AFTER UPDATE OF state, due_at ON webhook_deliveries
  FOR EACH ROW WHEN (NEW.state = 'pending' AND NEW.due_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('webhooks');
CREATE TRIGGER signals_free AFTER UPDATE OF state, rests_until, recovered_at, claim_id ON webhook_endpoints
  FOR EACH ROW WHEN (NEW.state = 'enabled' AND NEW.claim_id IS NULL)
  EXECUTE FUNCTION work_signal('webhooks');

CREATE TRIGGER signals_unread AFTER INSERT ON replies
  FOR EACH ROW WHEN (NEW.classification IS NULL)
  EXECUTE FUNCTION work_signal('judging');

CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF due_at ON interest_syncs
  FOR EACH ROW WHEN (NEW.due_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('interest');

CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF expires_at ON approvals
  FOR EACH ROW WHEN (NEW.expires_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('approvals');

CREATE TRIGGER signals_due AFTER INSERT OR UPDATE OF next_look_at ON payments
  FOR EACH ROW WHEN (NEW.next_look_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('payments');

CREATE TRIGGER signals_due AFTER INSERT ON sandbox_letters
  FOR EACH ROW WHEN (NEW.due_at < now() + interval '2 minutes')
  EXECUTE FUNCTION work_signal('letters');
`
}
