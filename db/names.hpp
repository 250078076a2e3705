/// Groups and SIMs by name: the same name gives the same id for ever.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/connection.hpp"
#include "src/base/ids.hpp"

#include <string>
#include <unordered_map>

namespace smsrack::db {

class Names {
public:
    /// `connection` outlives the object.
    explicit Names(Connection& connection) : connection_(connection) {}

    [[nodiscard]] GroupId group(const std::string& name);
    [[nodiscard]] SimId sim(const std::string& iccid, const std::string& imsi);

    /// What the failed batch had made is forgotten.
    void rolled_back() { groups_.clear(); }

private:
    Connection& connection_;
    std::unordered_map<std::string, GroupId> groups_ =
        {};  // bound: the groups of the configuration
};

}  // namespace smsrack::db
