/// Each command of the port as a call of the schema, and its answer from the rows of that.
///
/// Threads: any.
/// Errors:  none; what the server refuses is db/postgres/sql_error's.
#pragma once

#include "db/postgres/rows.hpp"
#include "src/ports/cluster_engine.hpp"

#include <string>

namespace smsrack::postgres {

/// A call, without the end of its statement.
struct Sql {
    std::string text;
    /// Sent separately, for the place $1, so that no log of the server has it.
    std::string secret = {};
    bool asks_two_disks = false;  ///< after its commit
};

/// Number of the newest schema that this program knows.
[[nodiscard]] int known_schema();

[[nodiscard]] Sql sql_of(const ports::RegisterBox& command);
[[nodiscard]] Sql sql_of(const ports::EnterFleet& command);
[[nodiscard]] Sql sql_of(const ports::Beat& command);
[[nodiscard]] Sql sql_of(const ports::PutMessages& command);
[[nodiscard]] Sql sql_of(const ports::NameSims& command);
[[nodiscard]] Sql sql_of(const ports::TakeMessages& command);
[[nodiscard]] Sql sql_of(const ports::FirmMessages& command);
[[nodiscard]] Sql sql_of(const ports::GiveBack& command);
[[nodiscard]] Sql sql_of(const ports::SettleMessages& command);
[[nodiscard]] Sql sql_of(const ports::TakeOver& command);
[[nodiscard]] Sql sql_of(const ports::TakeFirm& command);
[[nodiscard]] Sql sql_of(const ports::SetLife& command);
[[nodiscard]] Sql sql_of(const ports::ShareLoad& command);
[[nodiscard]] Sql sql_of(const ports::DecideLife& command);
[[nodiscard]] Sql sql_of(const ports::FindMessages& command);
[[nodiscard]] Sql sql_of(const ports::ForgetEnded& command);
[[nodiscard]] Sql sql_of(const ports::KeepRules& command);
[[nodiscard]] Sql sql_of(const ports::ReadRules& command);
[[nodiscard]] Sql sql_of(const ports::SendMail& command);
[[nodiscard]] Sql sql_of(const ports::ReadMail& command);
[[nodiscard]] Sql sql_of(const ports::CheckEngine& command);
[[nodiscard]] Sql sql_of(const ports::Doubt& command);
[[nodiscard]] Sql sql_of(const ports::Rebuild& command);
[[nodiscard]] Sql sql_of(const ports::NotePutBack& command);
[[nodiscard]] Sql sql_of(const ports::PutPairs& command);

// Commands that are not here answer nothing.
[[nodiscard]] ports::BoxNumber answer_of(const ports::RegisterBox& command, const Rows& rows);
[[nodiscard]] ports::Entry answer_of(const ports::EnterFleet& command, const Rows& rows);
[[nodiscard]] ports::Fleet answer_of(const ports::Beat& command, const Rows& rows);
[[nodiscard]] ports::NameSims::Answer answer_of(const ports::NameSims& command, const Rows& rows);
[[nodiscard]] ports::PutAnswers answer_of(const ports::PutMessages& command, const Rows& rows);
[[nodiscard]] std::vector<ports::SharedMessage> answer_of(const ports::TakeMessages& command,
                                                          const Rows& rows);
[[nodiscard]] std::vector<MessageId> answer_of(const ports::FirmMessages& command,
                                               const Rows& rows);
[[nodiscard]] std::vector<MessageId> answer_of(const ports::GiveBack& command, const Rows& rows);
[[nodiscard]] std::vector<MessageId> answer_of(const ports::SettleMessages& command,
                                               const Rows& rows);
[[nodiscard]] std::size_t answer_of(const ports::TakeOver& command, const Rows& rows);
[[nodiscard]] std::vector<MessageId> answer_of(const ports::TakeFirm& command, const Rows& rows);
[[nodiscard]] ports::FleetLoad answer_of(const ports::ShareLoad& command, const Rows& rows);
[[nodiscard]] std::int64_t answer_of(const ports::DecideLife& command, const Rows& rows);
[[nodiscard]] std::vector<ports::Whereabouts> answer_of(const ports::FindMessages& command,
                                                        const Rows& rows);
[[nodiscard]] std::size_t answer_of(const ports::ForgetEnded& command, const Rows& rows);
[[nodiscard]] ports::RulesKept answer_of(const ports::KeepRules& command, const Rows& rows);
[[nodiscard]] ports::RulesRead answer_of(const ports::ReadRules& command, const Rows& rows);
[[nodiscard]] ports::MailRead answer_of(const ports::ReadMail& command, const Rows& rows);
[[nodiscard]] bool answer_of(const ports::NotePutBack& command, const Rows& rows);
[[nodiscard]] std::vector<ports::EngineFact> answer_of(const ports::CheckEngine& command,
                                                       const Rows& rows);

}  // namespace smsrack::postgres
