/// Questions to the rows of messages that boxes share.
///
/// Threads: those of the connection.
/// Errors:  storage.
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/fleet_store.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::db {

class FleetQueries final : public ports::FleetReader {
public:
    explicit FleetQueries(Connection& db) : db_(db) {}

    [[nodiscard]] Result<std::vector<ports::FleetRow>> at_stage(FleetStage stage, MessageId after,
                                                                std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::FleetRow>> kept_here(MessageId after,
                                                                 std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::FleetRow>> put_again(MessageId after,
                                                                 std::size_t limit) override;
    [[nodiscard]] Result<ports::LonePage> lone(MessageId after, Level lowest,
                                               Level highest) override;
    [[nodiscard]] Result<std::vector<ports::FleetRow>> overdue(WallTime now, MessageId after,
                                                               std::size_t limit) override;
    [[nodiscard]] Result<std::vector<std::optional<ports::FleetRow>>> find(
        std::span<const MessageId> ids) override;
    [[nodiscard]] Result<NewMessage> content(MessageId id) override;
    [[nodiscard]] Result<ports::SharedPair> pair(MessageId id) override;
    [[nodiscard]] Result<ports::FleetCounts> counts() override;
    [[nodiscard]] Result<std::vector<ports::OwnRule>> own_rules(std::size_t limit) override;
    [[nodiscard]] Result<ports::RulesPlace> rules_place() override;
    [[nodiscard]] Result<std::string> known_sim(const std::string& to) override;
    [[nodiscard]] Result<ports::SimCount> sim_count(const std::string& iccid,
                                                    bool with_recipients) override;
    [[nodiscard]] Result<ports::BoxTies> ties(const ports::TiesQuestion& question) override;
    [[nodiscard]] Result<std::vector<std::string>> used_sims(std::size_t limit) override;
    [[nodiscard]] Result<std::string> sim_share(const std::string& iccid) override;
    [[nodiscard]] Result<ports::StrayReports> stray_reports(std::int64_t after, WallTime until,
                                                            std::size_t limit) override;
    [[nodiscard]] Result<std::optional<ports::EngineMemory>> engine() override;
    [[nodiscard]] Result<ports::OwnPairs> own_pairs(ports::Pair after, WallTime since,
                                                    std::size_t limit) override;

private:
    [[nodiscard]] std::string iccid_known_to(const std::string& to);

    Connection& db_;
};

}  // namespace smsrack::db
