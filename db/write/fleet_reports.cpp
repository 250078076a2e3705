#include "db/write/fleet_reports.hpp"

#include "db/write/reports.hpp"

namespace smsrack::db {

bool apply(Writer& writer, const ports::TakeReport& command) {
    StatusReport report = command.stray.report;
    report.sim =
        writer.db.scalar<SimId>("SELECT id FROM sims WHERE iccid = ?", {}, command.stray.card);
    return report.sim != SimId{} && keep_if_known(writer, report);
}

void apply(Writer& writer, const ports::NoteStraysTold& command) {
    writer.db.run("DELETE FROM fleet_reports_place");
    writer.db.run("INSERT INTO fleet_reports_place (number) VALUES (?)", command.number);
}

}  // namespace smsrack::db
