/// What boxes of a fleet ask each other for people, and what must hold of it.
///
/// Time:    simulated.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/days/fleet_watch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

class FleetQuestions {
public:
    /// All outlive the object.
    FleetQuestions(Random& random, const Clock& clock,
                   std::vector<std::unique_ptr<FleetBox>>& boxes, FleetWatch& watch)
        : random_(random), clock_(clock), boxes_(boxes), watch_(watch) {}

    /// A person asks any box for what another one has; or some do so at once.
    void draw();
    /// The box is about to answer.
    void heard(std::size_t box, const ports::BoxQuestion& question);
    /// What its process had asked gets no answer.
    void died(std::size_t box);
    /// All is repaired: each box that is there asks the next one.
    void ask_all(const std::function<bool(std::size_t box)>& is_gone);
    /// Each question has had its answer, or failed; those of ask_all() had theirs.
    void check();

    [[nodiscard]] std::uint64_t asked() const { return asked_.size(); }
    [[nodiscard]] std::uint64_t answered() const { return answered_; }

private:
    enum class State : std::uint8_t {
        open,
        over,  ///< answered, or failed
        dead,  ///< its process has ended
    };
    struct Asked {
        std::size_t by = 0;
        std::size_t of = 0;
        SteadyTime at = {};
        bool must_be_answered = false;
        State state = State::open;
        int heard = 0;
    };

    void ask(std::size_t by, std::size_t of, bool must_be_answered);
    void answered(std::size_t number, const Result<ports::BoxAnswer>& answer);
    void wrong(std::size_t number, const std::string& what);
    [[nodiscard]] std::size_t any_box() { return random_.below(boxes_.size()); }

    Random& random_;
    const Clock& clock_;
    std::vector<std::unique_ptr<FleetBox>>& boxes_;
    FleetWatch& watch_;
    std::vector<Asked> asked_ = {};
    std::uint64_t answered_ = 0;
};

}  // namespace smsrack::test
