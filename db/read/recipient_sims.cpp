#include "db/read/recipient_sims.hpp"

#include "db/engine/hash_index.hpp"

namespace smsrack::db {

SimId known_sim(Connection& db, const std::string& to) {
    return db.scalar<SimId>("SELECT sim FROM recipient_sims WHERE recipient = ?", {},
                            recipient_hash(to));
}

bool sim_is_known(Connection& db, SimId sim, WallTime since) {
    return sim != SimId{} && db.scalar<bool>(
                                 "SELECT EXISTS (SELECT 1 FROM recipient_sims INDEXED BY "
                                 "recipient_sims_at WHERE at >= ? AND sim = ?)",
                                 false, since, sim);
}

void note_recipient_sim(Connection& db, const std::string& to, SimId sim, WallTime at) {
    db.run("INSERT OR REPLACE INTO recipient_sims (recipient, sim, at) VALUES (?, ?, ?)",
           recipient_hash(to), sim, at);
}

void remove_old_recipient_sims(Connection& db, WallTime before, std::size_t limit) {
    db.run(
        "DELETE FROM recipient_sims WHERE recipient IN (SELECT recipient FROM recipient_sims WHERE "
        "at < ? LIMIT ?)",
        before, limit);
}

}  // namespace smsrack::db
