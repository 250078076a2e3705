/// The command that was called, with its options: what a command line comes to.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <any>
#include <functional>
#include <utility>

namespace smsrack::cli {

class Command {
public:
    Command() = default;
    template <typename Options>
    Command(Options given, Outcome<> (*function)(const Options&, Context&))
        : options_(std::move(given)), run_([function](const std::any& held, Context& context) {
              return function(std::any_cast<const Options&>(held), context);
          }) {}

    [[nodiscard]] Outcome<> run(Context& context) const { return run_(options_, context); }

    /// Null if it has options of another kind.
    template <typename Options>
    [[nodiscard]] const Options* options() const {
        return std::any_cast<Options>(&options_);
    }

private:
    std::any options_;
    std::function<Outcome<>(const std::any&, Context&)> run_;
};

}  // namespace smsrack::cli
