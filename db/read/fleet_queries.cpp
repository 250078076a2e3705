#include "db/read/fleet_queries.hpp"

#include "db/read/expected.hpp"
#include "db/read/message_record.hpp"
#include "db/read/out_message.hpp"
#include "db/read/recipient_sims.hpp"
#include "db/read/sim_usage.hpp"
#include "db/write/clock_walk.hpp"
#include "db/write/fleet_places.hpp"
#include "src/sms/card_name.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace smsrack::db {
namespace {

ports::FleetRow read_row(const Rows& columns) {
    ports::FleetRow row;
    columns.read(row.row, row.id, row.stage, row.kept, row.epoch, row.box, row.state, row.is_begun,
                 row.detail);
    return row;
}

std::optional<SimCard> read_card(const std::optional<std::string>& iccid, std::string imsi) {
    if (!iccid) {
        return std::nullopt;
    }
    return SimCard{.iccid = iccid->starts_with(without_iccid) ? std::string() : *iccid,
                   .imsi = std::move(imsi)};
}

NewMessage read_content(const Rows& columns) {
    NewMessage m;
    BodyColumns body;
    std::optional<std::string> iccid;
    std::string imsi;
    columns.read(m.level, m.group, m.segments, m.ref, m.fingerprint, m.created_at, m.expires_at,
                 m.text_hash, m.batch, m.client, m.note, m.owner, body.to, body.body, body.flags,
                 body.message_class, body.ports, body.elements, body.pid, iccid, imsi);
    m.sticky = (body.flags & flag_sticky) != 0;
    m.shared = (body.flags & flag_shared) != 0;
    m.by = read_card(iccid, std::move(imsi));
    m.body = body_of(std::move(body));
    return m;
}

}  // namespace

Result<std::vector<ports::FleetRow>> FleetQueries::at_stage(FleetStage stage, MessageId after,
                                                            std::size_t limit) {
    // The last column: whose SIM is of interest.
    const auto read = [](const Rows& columns) {
        ports::FleetRow row;
        columns.read(row.row, row.id, row.stage, row.kept, row.epoch, row.box, row.state,
                     row.is_begun, row.detail, row.known_sim);
        return row;
    };
    return guarded([&] {
        auto rows = db_.all(
            read,
            "SELECT f.id, coalesce(f.origin, f.id), f.stage, f.kept, f.epoch, f.box, m.state, "
            "m.attempts > 0, m.detail, CASE WHEN f.stage = ?4 AND m.state IN (?5, ?6) AND m.flags "
            "& ?7 AND m.by_sim IS NULL THEN m.to_addr ELSE '' END FROM fleet_messages f INDEXED BY "
            "fleet_messages_stage JOIN messages m ON m.id = f.id WHERE f.stage < 5 AND f.stage = "
            "?1 AND f.id > ?2 ORDER BY f.id LIMIT ?3",
            stage, after, limit, FleetStage::ended, MessageState::sent, MessageState::delivered,
            flag_sticky);
        for (ports::FleetRow& row : rows) {
            if (!row.known_sim.empty()) {
                row.known_sim = iccid_known_to(row.known_sim);
            }
        }
        return rows;
    });
}

Result<std::vector<ports::FleetRow>> FleetQueries::kept_here(MessageId after, std::size_t limit) {
    return guarded([&] {
        return db_.all(read_row,
                       "SELECT f.id, coalesce(f.origin, f.id), f.stage, f.kept, f.epoch, f.box, "
                       "m.state, m.attempts > 0, m.detail FROM fleet_messages f INDEXED BY "
                       "fleet_messages_kept_here JOIN messages m ON m.id = f.id WHERE f.kept = 0 "
                       "AND f.stage < 5 AND f.id > ? ORDER BY f.id LIMIT ?",
                       after, limit);
    });
}

Result<std::vector<ports::FleetRow>> FleetQueries::put_again(MessageId after, std::size_t limit) {
    return guarded([&] {
        return db_.all(read_row,
                       "SELECT f.id, coalesce(f.origin, f.id), f.stage, f.kept, f.epoch, f.box, "
                       "m.state, m.attempts > 0, m.detail FROM fleet_messages f INDEXED BY "
                       "fleet_messages_kept_here JOIN messages m ON m.id = f.id WHERE f.kept = 0 "
                       "AND f.stage < 5 AND f.stage <> ?1 AND NOT (f.epoch = 0 AND (f.stage = ?2 "
                       "OR f.stage = ?3 AND m.attempts > 0)) AND f.id > ?4 ORDER BY f.id LIMIT ?5",
                       FleetStage::here, FleetStage::firm, FleetStage::ended, after, limit);
    });
}

Result<ports::LonePage> FleetQueries::lone(MessageId after, Level lowest, Level highest) {
    // Some milliseconds: nothing is indexed by level.
    constexpr int looked_at = 4'000;
    const auto read = [](const Rows& columns) {
        ports::LoneRow row;
        columns.read(row.id, row.group, row.level);
        return row;
    };
    return guarded([&] {
        ports::LonePage page;
        page.last = db_.scalar<MessageId>(
            "SELECT max(id) FROM (SELECT id FROM fleet_messages INDEXED BY fleet_messages_stage "
            "WHERE stage < 5 AND stage = ? AND id > ? ORDER BY id LIMIT ?)",
            {}, FleetStage::here, after, looked_at);
        page.rows = db_.all(
            read,
            "SELECT f.id, g.name, m.level FROM fleet_messages f INDEXED BY fleet_messages_stage "
            "JOIN messages m ON m.id = f.id JOIN groups g ON g.id = m.grp WHERE f.stage < 5 AND "
            "f.stage = ? AND f.id > ? AND f.id <= ? AND m.state = ? AND m.level BETWEEN ? AND ? "
            "AND m.topic = 0 ORDER BY m.level DESC, f.id",
            FleetStage::here, after, page.last, MessageState::elsewhere, lowest, highest);
        return page;
    });
}

Result<std::vector<ports::FleetRow>> FleetQueries::overdue(WallTime now, MessageId after,
                                                           std::size_t limit) {
    return guarded([&]() -> Result<std::vector<ports::FleetRow>> {
        if (is_walking(db_)) {
            return std::vector<ports::FleetRow>{};  // times that were not moved yet say nothing
        }
        return db_.all(read_row,
                       "SELECT f.id, coalesce(f.origin, f.id), f.stage, f.kept, f.epoch, f.box, "
                       "m.state, m.attempts > 0, m.detail FROM messages m INDEXED BY "
                       "messages_ended JOIN fleet_messages f ON f.id = m.id WHERE m.state >= 4 AND "
                       "m.state = 10 AND m.id > ?2 AND m.expires_at <= ?1 ORDER BY m.id LIMIT ?3",
                       now, after, limit);
    });
}

Result<std::vector<std::optional<ports::FleetRow>>> FleetQueries::find(
    std::span<const MessageId> ids) {
    return guarded([&] {
        std::vector<std::optional<ports::FleetRow>> found;
        for (const MessageId id : ids) {
            const auto rows = db_.all(
                read_row,
                "SELECT f.id, coalesce(f.origin, f.id), f.stage, f.kept, f.epoch, f.box, m.state, "
                "m.attempts > 0, m.detail FROM fleet_messages f JOIN messages m ON m.id = f.id "
                "WHERE f.id = ?",
                row_of(db_, id));
            found.push_back(rows.empty() ? std::nullopt : std::optional(rows.front()));
        }
        return found;
    });
}

Result<NewMessage> FleetQueries::content(MessageId id) {
    return guarded([&]() -> Result<NewMessage> {
        if (is_walking(db_)) {
            return fail(Errc::busy, "the clock was set: times are being moved");
        }
        auto found = db_.all(
            read_content,
            "SELECT m.level, g.name, m.segments, m.ref, m.fingerprint, m.created_at, m.expires_at, "
            "m.text_hash, b.name, c.name, m.note, m.owner, m.to_addr, m.body, m.flags, m.class, "
            "m.ports, m.elements, coalesce(m.pid, 0), s.iccid, s.imsi FROM messages m JOIN groups "
            "g ON g.id = m.grp LEFT JOIN batches b ON b.id = m.batch LEFT JOIN clients c ON c.id = "
            "m.client LEFT JOIN sims s ON s.id = m.by_sim WHERE m.id = ?",
            row_of(db_, id));
        if (found.empty()) {
            return fail(Errc::not_found, "no message has this id");
        }
        return std::move(found.front());
    });
}

Result<ports::SharedPair> FleetQueries::pair(MessageId id) {
    return guarded([&] {
        std::string trigger;
        std::string topic;
        std::string to;
        std::optional<std::int64_t> retain;
        const bool found = db_.first(
            std::tie(trigger, topic, to, retain),
            "SELECT t.of, t.name, m.to_addr, d.retain_s FROM messages m JOIN trigger_topics t ON "
            "t.id = m.topic LEFT JOIN trigger_days d ON d.of = t.of WHERE m.id = ?",
            row_of(db_, id));
        ports::SharedPair pair;
        if (found) {
            pair.words = trigger + " " + topic + " " + to;
            pair.retain = retain.transform([](auto days) { return std::chrono::seconds(days); });
        }
        return pair;
    });
}

Result<ports::FleetCounts> FleetQueries::counts() {
    return guarded([&] {
        ports::FleetCounts counts;
        for (const auto& [stage, rows] : db_.tuples<FleetStage, std::int64_t>(
                 "SELECT stage, count(*) FROM fleet_messages INDEXED BY fleet_messages_stage WHERE "
                 "stage < 5 GROUP BY stage")) {
            counts.stages.at(static_cast<std::size_t>(stage)) = rows;
        }
        counts.kept_here = db_.scalar<std::int64_t>(
            "SELECT count(*) FROM fleet_messages INDEXED BY fleet_messages_kept_here WHERE kept = "
            "0 AND stage < 5",
            0);
        counts.own_rules = db_.scalar<std::int64_t>("SELECT count(*) FROM fleet_rules", 0);
        return counts;
    });
}

Result<std::vector<ports::OwnRule>> FleetQueries::own_rules(std::size_t limit) {
    const auto read = [](const Rows& columns) {
        ports::OwnRule own;
        columns.read(own.number, own.rule.kind, own.rule.name, own.rule.holds, own.rule.at);
        return own;
    };
    return guarded([&] {
        return db_.all(
            read, "SELECT number, kind, name, holds, at FROM fleet_rules ORDER BY number LIMIT ?",
            limit);
    });
}

Result<ports::RulesPlace> FleetQueries::rules_place() {
    return guarded([&] {
        ports::RulesPlace place;
        std::int64_t transaction = 0;
        (void)db_.first(std::tie(place.box, transaction, place.mark.number, place.heard),
                        "SELECT box, xact, number, heard FROM fleet_rules_place");
        place.mark.transaction = static_cast<std::uint64_t>(transaction);
        return place;
    });
}

std::string FleetQueries::iccid_known_to(const std::string& to) {
    const SimId sim = db::known_sim(db_, to);
    return sim == SimId{} ? std::string()
                          : db_.scalar<std::string>("SELECT iccid FROM sims WHERE id = ?", {}, sim);
}

Result<std::string> FleetQueries::known_sim(const std::string& to) {
    return guarded([&] { return iccid_known_to(to); });
}

Result<ports::SimCount> FleetQueries::sim_count(const std::string& iccid, bool with_recipients) {
    return guarded([&] {
        const auto sim = db_.scalar<SimId>("SELECT id FROM sims WHERE iccid = ?", {}, iccid);
        ports::SimCount count{.usage = load_usage(db_, sim)};
        if (with_recipients) {
            count.recipients = recipients_of(db_, sim, count.usage.month.period);
        }
        return count;
    });
}

Result<ports::BoxTies> FleetQueries::ties(const ports::TiesQuestion& question) {
    return guarded([&] {
        const auto expected = expected_for(db_, {}, question.now, question.settled);
        const auto is_known = [&](const std::string& iccid) {
            const auto sim = db_.scalar<SimId>("SELECT id FROM sims WHERE iccid = ?", {}, iccid);
            return sim_is_known(db_, sim, *question.sticky_since);
        };
        return ports::BoxTies{
            .reports = expected.anything,
            .sticky = question.sticky_since && std::ranges::any_of(question.iccids, is_known),
            .settled = expected.settled};
    });
}

Result<std::vector<std::string>> FleetQueries::used_sims(std::size_t limit) {
    return guarded([&] {
        return db_.column<std::string>(
            "SELECT s.iccid FROM sim_usage u JOIN sims s ON s.id = u.sim ORDER BY u.month DESC "
            "LIMIT ?",
            limit);
    });
}

Result<std::string> FleetQueries::sim_share(const std::string& iccid) {
    return guarded([&] {
        return db_.scalar<std::string>("SELECT form FROM fleet_sims WHERE iccid = ?", {}, iccid);
    });
}

Result<ports::StrayReports> FleetQueries::stray_reports(std::int64_t after, WallTime until,
                                                        std::size_t limit) {
    // One of a clock that was ahead for a while is not waited for.
    constexpr std::chrono::minutes patience{1};
    struct Looked {
        ports::StrayReport stray;
        std::optional<AttemptId> attempt;
    };
    const auto read = [](const Rows& columns) {
        Looked one;
        StatusReport& r = one.stray.report;
        std::string fingerprint;
        columns.read(one.stray.number, one.attempt, one.stray.card, r.modem, r.sim, r.tp_mr,
                     r.recipient, r.scts, r.discharge, r.tp_status, r.raw, fingerprint,
                     r.received_at);
        fingerprint.resize(r.fingerprint.size());
        std::ranges::copy(fingerprint, r.fingerprint.begin());
        return one;
    };
    return guarded([&] {
        const auto from =
            after != 0 ? after
                       : db_.scalar<std::int64_t>("SELECT number FROM fleet_reports_place", 0);
        const auto looked = db_.all(
            read,
            "SELECT r.id, r.attempt, coalesce(s.iccid, ''), r.modem, r.sim, r.tp_mr, r.recipient, "
            "r.scts, r.discharge, r.tp_status, r.raw, r.fingerprint, r.received_at FROM reports r "
            "LEFT JOIN sims s ON s.id = r.sim WHERE r.id > ? ORDER BY r.id LIMIT ?",
            from, limit);
        ports::StrayReports page{.last = from, .has_more = looked.size() == limit};
        for (const Looked& one : looked) {
            const WallTime at = one.stray.report.received_at;
            if (at > until && at < until + patience) {
                page.has_more = false;
                break;
            }
            page.last = one.stray.number;
            if (!one.attempt && !one.stray.card.empty()) {
                page.reports.push_back(one.stray);
            }
        }
        return page;
    });
}

Result<std::optional<ports::EngineMemory>> FleetQueries::engine() {
    return guarded([&] {
        ports::EngineMemory memory;
        const bool found = db_.first(std::tie(memory.engine.name, memory.engine.life, memory.beats),
                                     "SELECT name, life, beats FROM fleet_engine");
        return found ? std::optional(std::move(memory)) : std::nullopt;
    });
}

Result<ports::OwnPairs> FleetQueries::own_pairs(ports::Pair after, WallTime since,
                                                std::size_t limit) {
    struct Looked {
        ports::OwnPair own;
        ports::PairState state = ports::PairState::claimed;
    };
    const auto read = [](const Rows& columns) {
        Looked one;
        std::string trigger;
        std::string topic;
        std::int64_t seconds = 0;
        columns.read(one.own.pair.topic, one.own.pair.number, trigger, topic, seconds, one.state,
                     one.own.message);
        one.own.words = trigger + " " + topic + " +" + std::to_string(one.own.pair.number);
        one.own.claimed_at = WallTime(std::chrono::seconds(seconds));
        return one;
    };
    return guarded([&] {
        const auto looked = db_.all(
            read,
            "SELECT p.topic, p.number, t.of, t.name, p.claimed_at, p.state, p.message FROM "
            "trigger_pairs p JOIN trigger_topics t ON t.id = p.topic WHERE (p.topic, p.number) > "
            "(?, ?) ORDER BY p.topic, p.number LIMIT ?",
            after.topic, after.number, limit);
        ports::OwnPairs page;
        for (const Looked& one : looked) {
            if (one.state != ports::PairState::failed && one.own.claimed_at >= since) {
                page.pairs.push_back(one.own);
            }
        }
        if (looked.size() == limit) {
            page.last = looked.back().own.pair;
        }
        return page;
    });
}

}  // namespace smsrack::db
