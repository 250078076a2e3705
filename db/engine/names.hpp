/// Groups and SIMs by name: the same name gives the same id for ever.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/ids.hpp"
#include "src/sms/message.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace smsrack::db {

class Names {
public:
    /// `connection` outlives the object.
    explicit Names(Connection& connection) : connection_(connection) {}

    /// nullopt: it has no row.
    [[nodiscard]] std::optional<GroupId> known_group(const std::string& name);
    [[nodiscard]] GroupId group(const std::string& name);
    [[nodiscard]] SimId sim(const std::string& iccid, const std::string& imsi);

    /// A label of messages; made at `at` where it is new.
    [[nodiscard]] BatchId batch(const std::string& name, WallTime at);
    /// Some were removed.
    void forget_batch() { last_batch_ = {}; }

    /// What the failed batch had made is forgotten.
    void rolled_back() {
        groups_.clear();
        forget_batch();
    }

private:
    Connection& connection_;
    // bound: the groups of the configuration
    std::unordered_map<std::string, GroupId> groups_ = {};
    std::pair<std::string, BatchId> last_batch_ = {};  // a campaign comes in one piece
};

}  // namespace smsrack::db
