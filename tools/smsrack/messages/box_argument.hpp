/// `--box`: another box of the fleet answers, through this one.
#pragma once

#include "src/wire/url.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace smsrack::cli {

inline CLI::Option* add_box(CLI::App& app, std::string& box) {
    return app.add_option("--box", box, "ask this box of the fleet");
}

/// Behind a path: "?box=paris-2"; empty: this box answers.
[[nodiscard]] inline std::string box_query(const std::string& box) {
    return box.empty() ? std::string() : "?box=" + wire::percent_encoded(box);
}

}  // namespace smsrack::cli
