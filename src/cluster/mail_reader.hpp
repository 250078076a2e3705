/// Reads the letters of other boxes: how messages ended that this one accepted, status reports of what it sent, orders to
/// hand over to another program, questions and their answers.
///
/// It asks where a beat says that there are some, and where the engine notifies it: then a few times more, because a transaction
/// that began earlier and is still open hides what came. What was read is acknowledged when it is on this box's disk. An order is carried out once the engine has taken its
/// acknowledgement; one that gets lost before is given again by the box that waits for its answer.
/// Threads: the desk's.
#pragma once

#include "src/cluster/questions.hpp"
#include "src/cluster/report_form.hpp"
#include "src/cluster/task.hpp"
#include "src/cluster/upgrader.hpp"

#include <string>
#include <vector>

namespace smsrack::cluster {

class MailReader final : public Task {
public:
    /// Times that it looks after a notice, and the pause between two of them.
    static constexpr int looks = 4;
    static constexpr std::chrono::milliseconds look_pause{100};

    MailReader(const FleetWorld& world, SeatKeeper& seat, Upgrader& upgrader, Questions& questions)
        : Task(world, seat), upgrader_(upgrader), questions_(questions) {}

    /// The engine says that someone waits for an answer to some.
    void notice() {
        looks_left_ = looks;
        wake();
    }

    /// What is on this box's disk.
    [[nodiscard]] ports::ReadMark mark() const { return mark_; }

private:
    void begin() override;
    [[nodiscard]] bool has_none() const;
    void look_again();
    void carry_out();
    void keep(std::vector<std::string> letters, ports::ReadMark mark);
    void note_other(const std::string& letter);
    void take(ReportLetter report, std::vector<std::string> rest, ports::ReadMark mark);

    Upgrader& upgrader_;
    Questions& questions_;
    int looks_left_ = 0;
    ports::Seat of_ = {};
    ports::ReadMark mark_ = {};
    bool owes_ = false;  // the engine does not know that mark_ is on this box's disk
    std::vector<UpgradeLetter> read_ = {};    // of this round; <= round_max
    std::vector<UpgradeLetter> orders_ = {};  // whose acknowledgement is on its way; likewise
};

}  // namespace smsrack::cluster
