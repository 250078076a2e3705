// Messages: put, taken, made firm, given back, ended, found.
#include "db/postgres/put_keys.hpp"
#include "db/postgres/sql_text.hpp"
#include "db/postgres/statements.hpp"

#include <algorithm>
#include <set>

namespace smsrack::postgres {
namespace {

using ports::PutMessage;
using ports::SharedStage;

std::vector<MessageId> ids_of(const std::vector<std::int64_t>& numbers) {
    std::vector<MessageId> ids;
    std::ranges::transform(numbers, std::back_inserter(ids),
                           [](std::int64_t number) { return MessageId{number}; });
    return ids;
}

/// NULL: all of `asked`.
std::vector<MessageId> ids_of(const Rows& rows, const std::vector<MessageId>& asked) {
    return rows.is_null(0, 0) ? asked : ids_of(rows.numbers(0, 0));
}

void add_ids(SqlText& sql, const std::vector<MessageId>& ids) {
    sql.array(ids, [](MessageId id) { return id.value; });
}

Sql call_with_ids(std::string_view function, ports::Seat seat, const std::vector<MessageId>& ids) {
    SqlText sql(function);
    add_ids(sql.add(seat), ids);
    return {.text = sql.done()};
}

/// "" is NULL, as for texts.
std::string or_null(std::optional<std::int64_t> number) {
    return number ? std::to_string(*number) : std::string();
}

/// The last settlement of each message; the earlier ones would only be replaced by it.
std::vector<ports::Settlement> last_of_each(const std::vector<ports::Settlement>& ends) {
    std::vector<ports::Settlement> last;
    std::set<MessageId> seen;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
        if (seen.insert(end->message).second) {
            last.push_back(*end);
        }
    }
    std::ranges::sort(last, {}, &ports::Settlement::message);
    return last;
}

}  // namespace

Sql sql_of(const ports::PutMessages& command) {
    const auto& all = command.messages;
    const std::string none;
    const auto word = [&](auto part, auto member) {
        return [part, member](const PutMessage& put) -> const std::string& {
            return put.*part.*member;
        };
    };
    constexpr auto message = &PutMessage::message;
    constexpr auto checks = &PutMessage::checks;
    const auto number = [](std::uint64_t hash) {
        return hash == 0 ? std::string() : std::to_string(static_cast<std::int64_t>(hash));
    };
    SqlText sql("put_messages", "*, smsrack.note_written()");
    sql.add(command.seat);
    sql.array(all, [](const PutMessage& put) { return put.message.id.value; });
    sql.array(alone_in(all), [](bool alone) { return alone; });
    sql.array_unless(0, all, [](const PutMessage& put) { return static_cast<int>(put.stage); });
    sql.array_unless(none, all, word(message, &ports::SharedMessage::group));
    sql.array(all, [](const PutMessage& put) { return int{put.message.level}; });
    sql.array_unless(none, all, word(message, &ports::SharedMessage::batch));
    sql.array_unless(none, all, word(message, &ports::SharedMessage::sticky_iccid));
    sql.array_unless(none, all, word(message, &ports::SharedMessage::form));
    sql.array_unless(none, all, word(checks, &ports::SharedChecks::ref));
    sql.array_unless(none, all,
                     [&](const PutMessage& put) { return number(put.checks.fingerprint); });
    sql.array_unless(none, all, word(checks, &ports::SharedChecks::recipient));
    sql.array_unless(false, all, [](const PutMessage& put) { return !put.checks.heeds_opt_out; });
    sql.array_unless(none, all,
                     [&](const PutMessage& put) { return number(put.checks.text_hash); });
    sql.array_unless(std::int64_t{0}, all, [](const PutMessage& put) {
        return std::int64_t{put.checks.duplicate_window.count()};
    });
    sql.array_unless(none, all,
                     [](const PutMessage& put) { return or_null(put.checks.limits.per_hour); });
    sql.array_unless(none, all,
                     [](const PutMessage& put) { return or_null(put.checks.limits.per_day); });
    sql.array_unless(none, all, word(checks, &ports::SharedChecks::client));
    sql.array_unless(none, all,
                     [](const PutMessage& put) { return or_null(put.checks.client_waiting_max); });
    sql.array_unless(none, all, word(checks, &ports::SharedChecks::pair));
    sql.array_unless(none, all, [](const PutMessage& put) {
        const auto& after = put.checks.pair_free_after;
        return or_null(after ? std::optional(std::int64_t{after->count()}) : std::nullopt);
    });
    sql.array_unless(false, all, [](const PutMessage& put) { return put.message.is_sticky; });
    sql.array_unless(false, all, [](const PutMessage& put) { return put.is_begun; });
    return {.text = sql.done(), .asks_two_disks = true};
}

ports::PutAnswers answer_of(const ports::PutMessages& command, const Rows& rows) {
    ports::PutAnswers answers;
    const auto outcomes = rows.numbers(0, 0);
    const auto firsts = rows.numbers(0, 1);
    for (std::size_t i = 0; i < command.messages.size(); ++i) {
        const bool is_kept = i >= outcomes.size() || i >= firsts.size();
        answers.messages.push_back(
            is_kept ? ports::PutAnswer{.first = command.messages[i].message.id}
                    : ports::PutAnswer{.outcome = static_cast<ports::PutOutcome>(outcomes[i]),
                                       .first = MessageId{firsts[i]}});
    }
    return answers;
}

Sql sql_of(const ports::TakeMessages& command) {
    SqlText sql("take_messages");
    sql.add(command.seat);
    sql.array(command.wishes,
              [](const ports::TakeWish& wish) -> std::string_view { return wish.group; });
    sql.array(command.wishes, [](const ports::TakeWish& wish) { return int{wish.lowest}; });
    sql.array(command.wishes, [](const ports::TakeWish& wish) { return wish.limit; });
    sql.array(command.absent, [](ports::BoxNumber box) { return box.value; });
    sql.add(std::int64_t{command.sticky_wait.count()});
    return {.text = sql.done()};
}

std::vector<ports::SharedMessage> answer_of(const ports::TakeMessages& /*command*/,
                                            const Rows& rows) {
    std::vector<ports::SharedMessage> taken;
    for (int row = 0; row < rows.size(); ++row) {
        taken.push_back({.id = MessageId{rows.number(row, 0)},
                         .group = rows.string(row, 1),
                         .level = static_cast<Level>(rows.number(row, 2)),
                         .batch = rows.string(row, 3),
                         .sticky_iccid = rows.string(row, 4),
                         .form = rows.string(row, 5)});
    }
    return taken;
}

Sql sql_of(const ports::FirmMessages& command) {
    return call_with_ids("firm_messages", command.seat, command.messages);
}
std::vector<MessageId> answer_of(const ports::FirmMessages& command, const Rows& rows) {
    return ids_of(rows, command.messages);
}

Sql sql_of(const ports::GiveBack& command) {
    return call_with_ids("give_back", command.seat, command.messages);
}
std::vector<MessageId> answer_of(const ports::GiveBack& command, const Rows& rows) {
    return ids_of(rows, command.messages);
}

Sql sql_of(const ports::SettleMessages& command) {
    const auto ends = last_of_each(command.messages);
    SqlText sql("settle_messages");
    sql.add(command.seat);
    sql.array(ends, [](const ports::Settlement& end) { return end.message.value; });
    sql.array(ends, [](const ports::Settlement& end) { return static_cast<int>(end.state); });
    sql.array_unless(false, ends, [](const ports::Settlement& end) { return end.unbegun; });
    sql.array_unless(false, ends, [](const ports::Settlement& end) { return end.frees_pair; });
    sql.array_unless(std::string(), ends, [](const ports::Settlement& end) -> const std::string& {
        return end.sticky_iccid;
    });
    return {.text = sql.done()};
}
std::vector<MessageId> answer_of(const ports::SettleMessages& command, const Rows& rows) {
    if (!rows.is_null(0, 0)) {
        return ids_of(rows.numbers(0, 0));
    }
    std::vector<MessageId> all;
    std::ranges::transform(last_of_each(command.messages), std::back_inserter(all),
                           &ports::Settlement::message);
    return all;
}

Sql sql_of(const ports::TakeFirm& command) {
    SqlText sql("take_firm");
    sql.add(command.seat)
        .add(command.from)
        .add(command.beats)
        .add(command.resend)
        .add(static_cast<std::int64_t>(command.limit));
    return {.text = sql.done()};
}
std::vector<MessageId> answer_of(const ports::TakeFirm& /*command*/, const Rows& rows) {
    return ids_of(rows.numbers(0, 0));
}

Sql sql_of(const ports::FindMessages& command) {
    return call_with_ids("find_messages", command.seat, command.messages);
}
std::vector<ports::Whereabouts> answer_of(const ports::FindMessages& /*command*/,
                                          const Rows& rows) {
    std::vector<ports::Whereabouts> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back(
            {.message = MessageId{rows.number(row, 0)},
             .stage = static_cast<SharedStage>(rows.number(row, 1)),
             .seat = {.box = ports::BoxNumber{static_cast<std::int32_t>(rows.number(row, 2))},
                      .epoch = ports::Epoch{rows.number(row, 3)}},
             .state = static_cast<MessageState>(rows.number(row, 4)),
             .is_decided = rows.flag(row, 5)});
    }
    return found;
}

Sql sql_of(const ports::ForgetEnded& command) {
    SqlText sql("forget_ended");
    sql.add(command.seat)
        .add(std::int64_t{command.older_than.count()})
        .add(static_cast<std::int64_t>(command.limit));
    return {.text = sql.done()};
}
std::size_t answer_of(const ports::ForgetEnded& /*command*/, const Rows& rows) {
    return static_cast<std::size_t>(rows.number(0, 0));
}

Sql sql_of(const ports::PutPairs& command) {
    SqlText sql("put_pairs");
    sql.add(command.seat)
        .array(command.pairs,
               [](const ports::ClaimedPair& one) { return std::string_view(one.pair); })
        .array(command.pairs, [](const ports::ClaimedPair& one) { return one.message.value; })
        .array(command.pairs, [](const ports::ClaimedPair& one) { return one.age.count(); });
    return {.text = sql.done()};
}

}  // namespace smsrack::postgres
