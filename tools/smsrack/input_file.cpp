#include "tools/smsrack/input_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {

Outcome<client::UniqueFd> open_input(const std::string& file) {
    client::UniqueFd fd(file == "-" ? ::dup(STDIN_FILENO)
                                    : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) {
        return failure(ExitCode::bad_data, file + ": " + std::generic_category().message(errno));
    }
    return fd;
}

std::uint64_t size_of_input(const client::UniqueFd& input) {
    struct stat about {};
    return ::fstat(input.get(), &about) == 0 && S_ISREG(about.st_mode)
               ? static_cast<std::uint64_t>(about.st_size)
               : 0;
}

std::string name_of_input(const std::string& file) {
    return file == "-" ? "standard input" : file;
}

}  // namespace smsrack::cli
