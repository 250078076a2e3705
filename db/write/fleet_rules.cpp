#include "db/write/fleet_rules.hpp"

#include "db/write/batches.hpp"
#include "db/write/opt_outs.hpp"
#include "db/write/pauses.hpp"

#include <optional>
#include <string>
#include <utility>

namespace smsrack::db {
namespace {

using ports::OperatorRule;
using ports::PauseScope;
using ports::RuleKind;

void keep(Writer& writer, const OperatorRule& rule) {
    writer.db.run(
        "INSERT INTO fleet_rules (number, kind, name, holds, at) VALUES (?, ?, ?, ?, ?) ON "
        "CONFLICT (kind, name) DO UPDATE SET number = excluded.number, holds = excluded.holds, at "
        "= excluded.at",
        writer.ledger.next_number(), rule.kind, rule.name, rule.holds, rule.at);
}

/// "rack", "group NAME" or "batch NAME"; nullopt: a later release has written it.
std::optional<ports::SetPause> pause_of(const OperatorRule& rule) {
    ports::SetPause order{.paused = rule.holds, .at = rule.at};
    for (const PauseScope scope : {PauseScope::group, PauseScope::batch}) {
        const auto word = ports::pause_scope_names.at(static_cast<std::size_t>(scope));
        if (rule.name.starts_with(std::string(word) + " ")) {
            order.scope = scope;
            order.name = rule.name.substr(word.size() + 1);
            return order;
        }
    }
    return rule.name == "rack" ? std::optional(order) : std::nullopt;
}

/// This box has changed it, and the engine does not have that yet: it will be the newer one.
bool is_to_be_told(Connection& db, const OperatorRule& rule) {
    return db.scalar<bool>("SELECT EXISTS (SELECT 1 FROM fleet_rules WHERE kind = ? AND name = ?)",
                           false, rule.kind, rule.name);
}

void obey(Writer& writer, const OperatorRule& rule) {
    switch (rule.kind) {
        case RuleKind::opt_out:
            if (rule.holds) {
                (void)add_opt_out(writer.db, {.number = rule.name, .at = rule.at});
            } else {
                (void)remove_opt_out(writer.db, rule.name);
            }
            break;
        case RuleKind::pause:
            if (const auto order = pause_of(rule)) {
                (void)change_pause(writer, *order);
            }
            break;
        case RuleKind::batch:
            if (rule.holds) {
                (void)cancel_batch(writer, {.name = rule.name, .at = rule.at, .create = true});
            }
            break;
    }
}

}  // namespace

void tell_fleet(Writer& writer, OperatorRule rule) {
    if (writer.rules.shares_rules) {
        keep(writer, rule);
    }
}

/// Pauses are not shared as a box joins: one that was made before is meant for the box. Where the engine was restored
/// they are: it may have an older word of each.
void apply(Writer& writer, const ports::ShareRules& command) {
    const auto box = writer.db.scalar<BoxNumber>("SELECT box FROM fleet_rules_place", {});
    if (box == command.box && !command.again) {
        return;
    }
    for (auto& [number, at] :
         writer.db.tuples<std::string, WallTime>("SELECT number, at FROM opt_outs")) {
        keep(writer, {.kind = RuleKind::opt_out, .name = std::move(number), .at = at});
    }
    for (auto& [name, at] : writer.db.tuples<std::string, WallTime>(
             "SELECT name, cancelled_at FROM batches WHERE cancelled_at IS NOT NULL")) {
        keep(writer, {.kind = RuleKind::batch, .name = std::move(name), .at = at});
    }
    if (command.again) {
        for (auto& [words, at] : writer.db.tuples<std::string, WallTime>(
                 "SELECT CASE scope WHEN 0 THEN 'rack' ELSE 'group ' || name END, at FROM pauses "
                 "UNION ALL SELECT 'batch ' || name, paused_at FROM batches WHERE paused_at IS NOT "
                 "NULL AND cancelled_at IS NULL")) {
            keep(writer, {.kind = RuleKind::pause, .name = std::move(words), .at = at});
        }
    }
    writer.db.run("DELETE FROM fleet_rules_place");
    writer.db.run("INSERT INTO fleet_rules_place (box, xact, number, heard) VALUES (?, 0, 0, 0)",
                  command.box);
}

void apply(Writer& writer, const ports::NoteRulesKept& command) {
    for (const std::int64_t number : command.numbers) {
        writer.db.run("DELETE FROM fleet_rules WHERE number = ?", number);
    }
}

void apply(Writer& writer, const ports::ObeyRules& command) {
    for (const OperatorRule& rule : command.rules) {
        if (!is_to_be_told(writer.db, rule)) {
            obey(writer, rule);
        }
    }
    writer.db.run(
        "UPDATE fleet_rules_place SET xact = ?1, number = ?2, heard = CASE ?3 WHEN 0 THEN heard "
        "ELSE "
        "?3 END",
        static_cast<std::int64_t>(command.mark.transaction), command.mark.number, command.heard);
}

}  // namespace smsrack::db
