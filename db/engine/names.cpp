#include "db/engine/names.hpp"

#include "src/sms/card_name.hpp"

namespace smsrack::db {

std::optional<GroupId> Names::known_group(const std::string& name) {
    const auto id = connection_.scalar<GroupId>("SELECT id FROM groups WHERE name = ?", {}, name);
    return id == GroupId{} ? std::nullopt : std::optional(id);
}

GroupId Names::group(const std::string& name) {
    if (const auto known = groups_.find(name); known != groups_.end()) {
        return known->second;
    }
    connection_.run("INSERT OR IGNORE INTO groups (name) VALUES (?)", name);
    return groups_.emplace(name, known_group(name).value_or(GroupId{})).first->second;
}

BatchId Names::batch(const std::string& name, WallTime at) {
    if (last_batch_.first != name || last_batch_.second == BatchId{}) {
        connection_.run("INSERT OR IGNORE INTO batches (name, created_at) VALUES (?, ?)", name, at);
        last_batch_ = {
            name, connection_.scalar<BatchId>("SELECT id FROM batches WHERE name = ?", {}, name)};
    }
    return last_batch_.second;
}

/// A card that tells its ICCID only now and then is one SIM all the same: its IMSI says so.
SimId Names::sim(const std::string& iccid, const std::string& imsi) {
    const std::string name = card_name(iccid, imsi);
    if (!iccid.empty()) {
        connection_.run("UPDATE OR IGNORE sims SET iccid = ? WHERE iccid = ?", iccid,
                        card_name("", imsi));
    } else if (const auto known = connection_.scalar<SimId>(
                   "SELECT id FROM sims WHERE imsi = ? ORDER BY id DESC LIMIT 1", {}, imsi);
               known != SimId{} && !imsi.empty()) {
        return known;
    }
    connection_.run(
        "INSERT INTO sims (iccid, imsi) VALUES (?, ?) ON CONFLICT (iccid) DO UPDATE SET imsi = "
        "excluded.imsi WHERE imsi <> excluded.imsi",
        name, imsi);
    return connection_.scalar<SimId>("SELECT id FROM sims WHERE iccid = ?", {}, name);
}

}  // namespace smsrack::db
