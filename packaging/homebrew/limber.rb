# The formula of the checkout that it lies in, whatever is committed there:
#
#     brew install --HEAD --formula packaging/homebrew/limber.rb
#
# A tap's copy adds the url and sha256 of the release's archive.
class Limber < Formula
  desc "Forward and inverse kinematics of robots, figures and mechanisms"
  license "MIT"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "jansson"
  depends_on "libmicrohttpd"
  depends_on "libyaml"
  depends_on "minizip"
  depends_on "popt"
  depends_on "qhull"
  uses_from_macos "libxml2"

  def install
    args = %w[
      -DBUILD_SHARED_LIBS=ON
      -DLIMBER_TESTS=OFF
      -DLIMBER_EXAMPLES=OFF
      -DLIMBER_BENCH=OFF
      -DLIMBER_PYTHON=OFF
    ]
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"limber", "ik", "ur5", "--position", "0.4 0.2 0.3"

    (testpath/"solve.c").write <<~C
      #include <limber/formats/load.h>

      int main(void)
      {
          lb_model *model;
          lb_status status = lb_load("ur5", NULL, &model, NULL);
          lb_model_release(model);
          return status != LB_OK;
      }
    C
    flags = shell_output("pkgconf --cflags --libs limber_formats").split
    system ENV.cc, "solve.c", "-o", "solve", *flags
    system "./solve"
  end
end
