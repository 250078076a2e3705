/// Reads the letters of other boxes: how messages ended that this one accepted, status reports of what it sent, orders to
/// hand over to another program.
///
/// What was read is acknowledged when it is on this box's disk. An order is carried out once the engine has taken its
/// acknowledgement: the program that this one hands over to must not read it again.
/// Threads: the desk's.
#pragma once

#include "src/cluster/report_form.hpp"
#include "src/cluster/task.hpp"
#include "src/cluster/upgrader.hpp"

#include <string>
#include <vector>

namespace smsrack::cluster {

class MailReader final : public Task {
public:
    MailReader(const FleetWorld& world, SeatKeeper& seat, Upgrader& upgrader)
        : Task(world, seat), upgrader_(upgrader) {}

private:
    void begin() override;
    void carry_out();
    void keep(std::vector<std::string> letters, ports::ReadMark mark);
    void note_order(const std::string& letter);
    void take(ReportLetter report, std::vector<std::string> rest, ports::ReadMark mark);

    Upgrader& upgrader_;
    ports::Seat of_ = {};
    ports::ReadMark mark_ = {};
    std::vector<UpgradeLetter> orders_ = {};  // not acknowledged yet; <= round_max
};

}  // namespace smsrack::cluster
