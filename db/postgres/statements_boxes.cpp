// Boxes, their seats and what the engine says of itself.
#include "db/postgres/sql_text.hpp"
#include "db/postgres/statements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

namespace smsrack::postgres {
namespace {

using ports::BoxNumber;
using ports::Epoch;

BoxNumber box_of(const Rows& rows, int row, int column) {
    return BoxNumber{static_cast<std::int32_t>(rows.number(row, column))};
}

/// The words of a text of beat_and_look, one after the other.
class BeatText {
public:
    explicit BeatText(std::string_view text) : rest_(text) {}

    template <typename Number = std::int64_t>
    Number number() {
        const std::string_view word = until(" \n");
        Number number = 0;
        (void)std::from_chars(word.data(), word.data() + word.size(), number);
        return number;
    }
    std::string line() { return std::string(until("\n")); }
    std::string rest() { return std::string(std::exchange(rest_, {})); }

private:
    std::string_view until(std::string_view ends) {
        const auto end = std::min(rest_.find_first_of(ends), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }

    std::string_view rest_;
};

ports::BoxRow box_row(BeatText text) {
    ports::BoxRow row{.box = BoxNumber{text.number<std::int32_t>()},
                      .life = static_cast<ports::BoxLife>(text.number()),
                      .epoch = Epoch{text.number()},
                      .beats = text.number()};
    row.report.modems = text.number();
    row.report.awaits_reports = text.number();
    row.report.engine_node = text.number() != 0;
    row.report.wall = WallTime{std::chrono::milliseconds(text.number())};
    row.held = text.number();
    row.firm = text.number();
    const std::int64_t owes = text.number();
    row.has_put_back = owes == 0;
    row.is_waited_for = owes == 1 || owes == 2;
    row.report.messages_per_s = text.number<double>();
    row.report.version = text.line();
    row.name = text.line();
    row.site = text.rest();
    return row;
}

}  // namespace

Sql sql_of(const ports::RegisterBox& command) {
    SqlText sql("register_box");
    return {.text = sql.add(command.who.name)
                        .add(command.site)
                        .add(std::int64_t{command.number.value})
                        .place()
                        .done(),
            .secret = command.who.key};
}

BoxNumber answer_of(const ports::RegisterBox& /*command*/, const Rows& rows) {
    return box_of(rows, 0, 0);
}

Sql sql_of(const ports::EnterFleet& command) {
    SqlText sql("enter_fleet");
    return {.text = sql.add(command.who.name)
                        .add(std::int64_t{command.release})
                        .add(command.after.value)
                        .place()
                        .done(),
            .secret = command.who.key};
}

ports::Entry answer_of(const ports::EnterFleet& /*command*/, const Rows& rows) {
    return {.seat = {.box = box_of(rows, 0, 0), .epoch = Epoch{rows.number(0, 1)}},
            .engine = {.name = rows.string(0, 2), .life = rows.string(0, 3)},
            .beats = rows.number(0, 4),
            .wall = WallTime{std::chrono::milliseconds(rows.number(0, 5))},
            .is_doubted = rows.flag(0, 6),
            .has_put_back = rows.flag(0, 7),
            .all_have = rows.flag(0, 8)};
}

Sql sql_of(const ports::Beat& command) {
    const ports::BoxReport& report = command.report;
    SqlText sql("beat_and_look", "*, smsrack.note_written()");
    sql.add(command.seat)
        .add(report.version)
        .add(report.modems)
        .add(report.messages_per_s)
        .add(report.awaits_reports)
        .add(report.engine_node)
        .add(std::int64_t{report.wall.time_since_epoch().count()})
        .add(command.rules)
        .add(command.mail);
    return {.text = sql.done(), .asks_two_disks = true};
}

ports::Fleet answer_of(const ports::Beat& /*command*/, const Rows& rows) {
    BeatText first(rows.text(0, 0));
    ports::Fleet fleet{.waiting = first.number()};
    fleet.has_rules = first.number() != 0;
    fleet.has_mail = first.number() != 0;
    for (int row = 1; row < rows.size(); ++row) {
        fleet.boxes.push_back(box_row(BeatText(rows.text(row, 0))));
    }
    return fleet;
}

Sql sql_of(const ports::NameSims& command) {
    struct Recipient {
        std::string_view iccid;
        ports::SimRecipient to;
    };
    std::vector<Recipient> recipients;
    for (const ports::SharedSim& sim : command.sims) {
        for (const ports::SimRecipient to : sim.recipients) {
            recipients.push_back({.iccid = sim.iccid, .to = to});
        }
    }
    const auto iccid = [](const auto& row) { return std::string_view(row.iccid); };
    const auto form = [](const ports::SharedSim& sim) { return std::string_view(sim.form); };
    SqlText sql("name_sims");
    sql.add(command.seat)
        .array(command.sims, iccid)
        .array(command.sims,
               [](const ports::SharedSim& sim) { return std::string_view(sim.group); })
        .array(command.sims,
               [](const ports::SharedSim& sim) -> std::string_view {
                   constexpr std::array<std::string_view, 3> here{"t", "", "f"};
                   return here.at(static_cast<std::size_t>(sim.place));
               })
        .array(command.sims, [](const ports::SharedSim& sim) { return sim.asks; })
        .array(command.sims, [](const ports::SharedSim& sim) { return sim.after; })
        .array(command.sims, form)
        .array(command.absent, [](BoxNumber box) { return box.value; })
        .array(recipients, iccid)
        .array(recipients, [](const Recipient& row) { return row.to.month; })
        .array(recipients,
               [](const Recipient& row) { return static_cast<std::int64_t>(row.to.recipient); })
        .add(static_cast<std::int64_t>(ports::sim_recipients_max));
    return {.text = sql.done()};
}

ports::NameSims::Answer answer_of(const ports::NameSims& command, const Rows& rows) {
    ports::NameSims::Answer named(command.sims.size());
    for (int row = 0; row < rows.size(); ++row) {
        auto& sim = named.at(static_cast<std::size_t>(rows.number(row, 0) - 1));
        sim.elsewhere = box_of(rows, row, 1);
        if (!rows.is_null(row, 2)) {
            sim.parts.push_back({.box = box_of(rows, row, 2), .form = rows.string(row, 3)});
        }
        const auto months = rows.numbers(row, 4);
        const auto hashes = rows.numbers(row, 5);
        for (std::size_t i = 0; i < months.size() && i < hashes.size(); ++i) {
            sim.recipients.push_back(
                {.month = months[i], .recipient = static_cast<std::uint64_t>(hashes[i])});
        }
        sim.number = rows.number(row, 6);
    }
    return named;
}

Sql sql_of(const ports::TakeOver& command) {
    SqlText sql("take_over");
    sql.add(command.seat).add(command.from).add(command.beats);
    return {.text = sql.done()};
}

std::size_t answer_of(const ports::TakeOver& /*command*/, const Rows& rows) {
    return static_cast<std::size_t>(rows.number(0, 0));
}

Sql sql_of(const ports::SetLife& command) {
    SqlText sql("set_life");
    sql.add(command.seat).add(command.name).add(static_cast<std::int64_t>(command.life));
    return {.text = sql.done()};
}

Sql sql_of(const ports::ShareLoad& command) {
    SqlText sql("share_load");
    return {.text = sql.add(command.seat).add(command.form).done()};
}

ports::FleetLoad answer_of(const ports::ShareLoad& /*command*/, const Rows& rows) {
    ports::FleetLoad load{.decision = {.number = rows.number(0, 2),
                                       .by = box_of(rows, 0, 3),
                                       .box = box_of(rows, 0, 0),
                                       .life = static_cast<ports::BoxLife>(rows.number(0, 4)),
                                       .form = rows.string(0, 1)}};
    for (int row = 1; row < rows.size(); ++row) {
        load.boxes.push_back({.box = box_of(rows, row, 0), .form = rows.string(row, 1)});
    }
    return load;
}

Sql sql_of(const ports::DecideLife& command) {
    SqlText sql("decide_life");
    sql.add(command.seat)
        .add(command.after)
        .add(std::int64_t{command.box.value})
        .add(static_cast<std::int64_t>(command.from))
        .add(static_cast<std::int64_t>(command.to))
        .add(command.form);
    return {.text = sql.done()};
}

std::int64_t answer_of(const ports::DecideLife& /*command*/, const Rows& rows) {
    return rows.number(0, 0);
}

Sql sql_of(const ports::Doubt& command) {
    return {.text = SqlText("doubt").add(command.seat).done()};
}

Sql sql_of(const ports::Rebuild& command) {
    return {.text = SqlText("rebuild").add(command.seat).done()};
}

Sql sql_of(const ports::NotePutBack& command) {
    return {.text = SqlText("note_put_back")
                        .add(command.seat)
                        .add(static_cast<std::int64_t>(command.limit))
                        .done()};
}

bool answer_of(const ports::NotePutBack& /*command*/, const Rows& rows) {
    return rows.flag(0, 0);
}

Sql sql_of(const ports::CheckEngine& /*command*/) {
    SqlText sql("check_engine");
    return {.text = sql.add(std::int64_t{known_schema()}).done()};
}

std::vector<ports::EngineFact> answer_of(const ports::CheckEngine& /*command*/, const Rows& rows) {
    std::vector<ports::EngineFact> facts;
    for (int row = 0; row < rows.size(); ++row) {
        const bool good = rows.flag(row, 2);
        facts.push_back({.name = rows.string(row, 0),
                         .value = rows.string(row, 1),
                         .good = good,
                         .advice = good ? std::string() : rows.string(row, 3)});
    }
    return facts;
}

}  // namespace smsrack::postgres
