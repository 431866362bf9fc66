// Blocks of complex values have as many lanes as those of real ones where half of the registers hold them, and never more.

// RUN: %comet-opt %s --cin-vectorize -split-input-file | FileCheck %s --check-prefix=WIDE
// RUN: %comet-opt %s --cin-vectorize=registers=4096 -split-input-file | FileCheck %s --check-prefix=NARROW

// WIDE-LABEL: func.func @open
// WIDE: cin.split %{{.*}} by 32
// WIDE: cin.temporary "w" registers : tensor<32xcomplex<f64>>
// NARROW-LABEL: func.func @open
// NARROW: cin.split %{{.*}} by 16
func.func @open(%A: tensor<?x?xcomplex<f64>, #ta.format<[D, CU]>>, %B: tensor<?x?xcomplex<f64>>, %C: tensor<?x?xcomplex<f64>>, %n: index, %m: index, %p: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    %k = cin.index_var "k" size %p
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j] : tensor<?x?xcomplex<f64>, #ta.format<[D, CU]>> -> complex<f64>
          %1 = cin.access %B[%j, %k] : tensor<?x?xcomplex<f64>> -> complex<f64>
          %2 = cin.combine mul %0, %1 : complex<f64>
          cin.assign %2 to %C[%i, %k] add : complex<f64>, tensor<?x?xcomplex<f64>>
        }
      }
    }
  }
  return
}

// -----

// Of 64 columns, a block of real values would have all.
// WIDE-LABEL: func.func @fixed
// WIDE: cin.split %{{.*}} by 32
// NARROW-LABEL: func.func @fixed
// NARROW: cin.split %{{.*}} by 32
func.func @fixed(%A: tensor<?x?xcomplex<f32>, #ta.format<[D, CU]>>, %B: tensor<?x64xcomplex<f32>>, %C: tensor<?x64xcomplex<f32>>, %n: index, %m: index) {
  %p = arith.constant 64 : index
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %m
    %k = cin.index_var "k" size %p
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %0 = cin.access %A[%i, %j] : tensor<?x?xcomplex<f32>, #ta.format<[D, CU]>> -> complex<f32>
          %1 = cin.access %B[%j, %k] : tensor<?x64xcomplex<f32>> -> complex<f32>
          %2 = cin.combine mul %0, %1 : complex<f32>
          cin.assign %2 to %C[%i, %k] add : complex<f32>, tensor<?x64xcomplex<f32>>
        }
      }
    }
  }
  return
}
