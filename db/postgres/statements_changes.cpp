// Rules, and mail between boxes.
#include "db/postgres/sql_text.hpp"
#include "db/postgres/statements.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace smsrack::postgres {
namespace {

Sql reading(std::string_view function, ports::Seat seat, ports::ReadMark after, std::size_t limit) {
    SqlText sql(function);
    sql.add(seat).add(after).add(static_cast<std::int64_t>(limit));
    return {.text = sql.done()};
}

ports::ReadMark mark_of(const Rows& rows, int column, ports::ReadMark before) {
    const int last = rows.size() - 1;
    return last < 0 ? before
                    : ports::ReadMark{
                          .transaction = static_cast<std::uint64_t>(rows.number(last, column)),
                          .number = rows.number(last, column + 1)};
}

/// The last of each subject: one statement can't change a row twice.
std::vector<ports::SharedRule> last_of_each(const std::vector<ports::SharedRule>& rules) {
    std::vector<ports::SharedRule> last;
    std::set<std::pair<ports::RuleKind, std::string_view>> seen;
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
        if (seen.emplace(rule->kind, rule->subject).second) {
            last.push_back(*rule);
        }
    }
    return last;
}

}  // namespace

Sql sql_of(const ports::KeepRules& command) {
    const auto rules = last_of_each(command.rules);
    SqlText sql("keep_rules", "*, smsrack.note_written()");
    sql.add(command.seat);
    sql.array(rules, [](const ports::SharedRule& rule) { return static_cast<int>(rule.kind); });
    sql.array(rules,
              [](const ports::SharedRule& rule) -> std::string_view { return rule.subject; });
    sql.array(rules, [](const ports::SharedRule& rule) { return rule.holds; });
    sql.array(rules, [](const ports::SharedRule& rule) -> std::string_view { return rule.form; });
    sql.array(rules, [](const ports::SharedRule& rule) { return rule.number; });
    return {.text = sql.done(), .asks_two_disks = true};
}

ports::RulesKept answer_of(const ports::KeepRules& /*command*/, const Rows& /*rows*/) {
    return {};
}

Sql sql_of(const ports::ReadRules& command) {
    return reading("read_rules", command.seat, command.after, command.limit);
}
ports::RulesRead answer_of(const ports::ReadRules& command, const Rows& rows) {
    ports::RulesRead read{.mark = mark_of(rows, 4, command.after)};
    for (int row = 0; row < rows.size(); ++row) {
        read.rules.push_back({.kind = static_cast<ports::RuleKind>(rows.number(row, 0)),
                              .subject = rows.string(row, 1),
                              .holds = rows.flag(row, 2),
                              .form = rows.string(row, 3)});
    }
    return read;
}

Sql sql_of(const ports::SendMail& command) {
    SqlText sql(command.hurries ? "hurry_mail" : "send_mail");
    sql.add(command.seat);
    sql.array(command.mail, [](const ports::Mail& mail) { return mail.to.value; });
    sql.array(command.mail, [](const ports::Mail& mail) -> std::string_view { return mail.form; });
    return {.text = sql.done()};
}

Sql sql_of(const ports::ReadMail& command) {
    return reading("read_mail", command.seat, command.after, command.limit);
}
ports::MailRead answer_of(const ports::ReadMail& command, const Rows& rows) {
    ports::MailRead read{.mark = mark_of(rows, 1, command.after)};
    for (int row = 0; row < rows.size(); ++row) {
        read.mail.push_back(rows.string(row, 0));
    }
    return read;
}

}  // namespace smsrack::postgres
