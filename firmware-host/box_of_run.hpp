/// The machine and this program, as the API shows them of one run of the service.
///
/// Threads: the loop thread.
#pragma once

#include "firmware-host/run.hpp"
#include "src/ports/box_view.hpp"

namespace smsrack::host {

class BoxOfRun final : public ports::BoxView {
public:
    /// `run` outlives the object.
    explicit BoxOfRun(const Run& run) : run_(run) {}

    [[nodiscard]] ports::BoxFacts facts() const override;
    [[nodiscard]] std::string configuration() const override;
    [[nodiscard]] std::string configuration_file() const override { return run_.config_file; }
    [[nodiscard]] std::vector<ports::KeptLine> log(std::uint64_t before,
                                                   std::size_t limit) const override {
        return run_.log_tail.lines(before, limit);
    }

private:
    const Run& run_;
};

}  // namespace smsrack::host
