/// The record file of seeds that ran without a violation: an interrupted search of hours continues
/// where it was.
///
/// One line of JSON says of which program and which days it is, then one each seed. A file of
/// another program, or of other days, is begun again.
/// Threads: one.
/// Errors:  std::runtime_error where the file can't be written.
#pragma once

#include "tests/simulate/rack_days.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace smsrack::simulate {

class SeedsLived {
public:
    /// `program`: a hash of it. Without a path nothing is kept.
    SeedsLived(const std::filesystem::path& path, std::uint64_t program,
               const DaysOptions& options);

    /// Its totals, if it was run before.
    [[nodiscard]] std::optional<DaysTotals> find(std::uint64_t seed) const;
    [[nodiscard]] std::size_t size() const { return lived_.size(); }
    /// Survives the end of the process; a loss of power may take the last lines.
    void add(std::uint64_t seed, const DaysTotals& totals);

private:
    /// The place behind the last line that counts; 0: none does.
    std::uintmax_t read(const std::filesystem::path& path, const std::string& head);

    std::map<std::uint64_t, DaysTotals> lived_;
    std::ofstream file_;
};

}  // namespace smsrack::simulate
