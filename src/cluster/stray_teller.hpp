/// Sends status reports that have no message here to the other boxes: their SIM has sent from one of them.
///
/// Time:    two seconds after a report came: the modem's answer to its submit may be later than the report.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace smsrack::cluster {

class StrayTeller final : public Task {
public:
    static constexpr std::chrono::seconds waits{2};
    using Task::Task;

private:
    void begin() override;
    [[nodiscard]] std::vector<BoxNumber> others() const;
    void send(const ports::StrayReports& page);
    void note(std::int64_t last, bool has_more);

    ports::Seat of_ = {};
    std::int64_t after_ = 0;  // 0: as the store has noted
};

}  // namespace smsrack::cluster
